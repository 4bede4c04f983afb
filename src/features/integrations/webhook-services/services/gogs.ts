import { integration } from '#features/integrations/webhook-services/declaration.ts'
import { branchesOption } from '#features/integrations/webhook-services/git.ts'
import { gogsExample, gogsFamily } from '#features/integrations/webhook-services/gogs.ts'
import { hmacHeader } from '#features/integrations/webhook-services/signatures.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'
import { sentText } from '#translations/translate.ts'

/** The number of a pull request in topics is its ID, as in Zulip, so that topics stay the same. */
export const gogs = integration({
  name: 'gogs',
  displayName: 'Gogs',
  category: 'Version control',
  eventTypes: [
    'push',
    'create',
    'delete',
    'fork',
    'pull_request',
    'issues',
    'issue_comment',
    'release',
  ],
  eventHeaders: ['X-Gogs-Event'],
  sendsLongPayloads: true,
  signature: hmacHeader(sentText('Secret with which Gogs signs its requests'), 'x-gogs-signature'),
  urlOptions: [branchesOption],
  steps: steps([
    'In the repository or organization, open **Settings → Webhooks**, and add a webhook of the type **Gogs**.',
    'Paste `{url}` as **Target URL**, with the method `POST` and the content type `application/json`.',
    'If the bot has a secret, enter the same as **Secret**.',
    'Choose the events, and save. **Test delivery** sends a push.',
  ]),
  example: {
    headers: { 'X-Gogs-Event': 'push' },
    body: gogsExample,
    topic: 'garden / main',
  },
  render: (delivery) => gogsFamily(delivery, { topicNumber: 'id' }),
})
