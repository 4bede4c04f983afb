import { integration } from '#features/integrations/webhook-services/declaration.ts'
import { branchesOption } from '#features/integrations/webhook-services/git.ts'
import {
  giteaEvents,
  gogsExample,
  gogsFamily,
} from '#features/integrations/webhook-services/gogs.ts'
import { hmacHeader } from '#features/integrations/webhook-services/signatures.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'
import { sentText } from '#translations/translate.ts'

/**
 * Forgejo sends the headers of Gitea and Gogs as well.
 *
 * @source Forgejo Docs, "Webhooks" (headers read on 2026-11-23)
 */
export const forgejo = integration({
  name: 'forgejo',
  displayName: 'Forgejo',
  category: 'Version control',
  eventTypes: giteaEvents,
  eventHeaders: ['X-Forgejo-Event', 'X-Gitea-Event'],
  sendsLongPayloads: true,
  signature: hmacHeader(
    sentText('Secret with which Forgejo signs its requests'),
    'x-forgejo-signature',
  ),
  urlOptions: [branchesOption],
  steps: steps([
    'In the repository or organization, open **Settings → Webhooks**, and add a webhook of the type **Forgejo**.',
    'Paste `{url}` as **Target URL**, with the method `POST` and the content type `application/json`.',
    'If the bot has a secret, enter the same as **Secret**.',
    'Choose the events, and save. **Test delivery** sends a push.',
  ]),
  example: {
    headers: { 'X-Forgejo-Event': 'push' },
    body: gogsExample,
    topic: 'garden / main',
  },
  render: (delivery) => gogsFamily(delivery, { topicNumber: 'number' }),
})
