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
 * The number of a pull request in topics is its ID, as in Zulip, so that topics stay the same.
 *
 * @source Gitea Docs, "Webhooks", and go-gitea/gitea, `modules/webhook/type.go` (read on 2026-11-24)
 */
export const gitea = integration({
  name: 'gitea',
  displayName: 'Gitea',
  category: 'Version control',
  eventTypes: giteaEvents,
  eventHeaders: ['X-Gitea-Event'],
  sendsLongPayloads: true,
  signature: hmacHeader(
    sentText('Secret with which Gitea signs its requests'),
    'x-gitea-signature',
  ),
  urlOptions: [branchesOption],
  steps: steps([
    'In the repository or organization, open **Settings → Webhooks**, and add a webhook of the type **Gitea**.',
    'Paste `{url}` as **Target URL**, with the method `POST` and the content type `application/json`.',
    'If the bot has a secret, enter the same as **Secret**.',
    'Choose the events, and save. **Test delivery** sends a push.',
  ]),
  example: {
    headers: { 'X-Gitea-Event': 'push' },
    body: gogsExample,
    topic: 'garden / main',
  },
  render: (delivery) => gogsFamily(delivery, { topicNumber: 'id' }),
})
