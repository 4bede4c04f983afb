import { integration } from '#features/integrations/webhook-services/declaration.ts'
import { code, inline, link } from '#features/integrations/webhook-services/format.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

/** The `callback_url` of a payload must not be called. @source Docker Docs, "Webhooks" (read on 2026-11-24) */
export const dockerhub = integration({
  name: 'dockerhub',
  displayName: 'Docker Hub',
  category: 'Infrastructure',
  eventTypes: null,
  steps: steps([
    'In the repository, open **Webhooks**.',
    'Enter any name, paste `{url}` as **Webhook URL**, and press **Create**.',
  ]),
  example: {
    body: {
      push_data: { tag: 'latest', pusher: 'ada', pushed_at: 1_793_000_000 },
      repository: {
        repo_name: 'acme/garden',
        repo_url: 'https://hub.docker.com/r/acme/garden',
      },
    },
    topic: 'acme/garden',
  },
  render({ payload }) {
    const repo = payload.text('repository.repo_name')
    const who = inline(payload.text('push_data.pusher'))
    const image = code(`${repo}:${payload.text('push_data.tag')}`)
    const where = link(repo, payload.maybeText('repository.repo_url'))
    return { topic: repo, content: `${who} pushed ${image} to ${where}.` }
  },
})
