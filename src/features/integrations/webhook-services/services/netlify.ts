import { buildResult } from '#features/integrations/webhook-services/builds.ts'
import { integration, unsupported } from '#features/integrations/webhook-services/declaration.ts'
import { code, link, quoting } from '#features/integrations/webhook-services/format.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

const events = [
  'deploy_created',
  'deploy_building',
  'deploy_failed',
  'deploy_locked',
  'deploy_unlocked',
]

/** @source Netlify Docs, "Deploy notifications" */
export const netlify = integration({
  name: 'netlify',
  displayName: 'Netlify',
  category: 'Continuous integration',
  eventTypes: events,
  eventHeaders: ['X-Netlify-Event'],
  steps: steps([
    'Open **Project configuration → Notifications → Emails and webhooks**, and add an **HTTP POST request** to the deploy notifications.',
    'Choose the event, and paste `{url}` as **URL to notify**. Add one for each event.',
  ]),
  example: {
    headers: { 'X-Netlify-Event': 'deploy_building' },
    body: {
      name: 'garden',
      url: 'https://garden.netlify.app',
      branch: 'main',
      state: 'building',
      error_message: null,
    },
    topic: 'main',
  },
  render({ payload, event }) {
    if (!events.includes(event)) return unsupported(event)
    const branch = payload.text('branch')
    const site = link(payload.text('name'), payload.maybeText('url'))
    const state =
      event === 'deploy_locked'
        ? 'locked'
        : event === 'deploy_unlocked'
          ? 'unlocked'
          : payload.text('state')
    const line = `The deploy of ${site} from ${code(branch)} is ${buildResult(state)}`
    return {
      topic: branch,
      content: quoting(line, payload.maybeText('error_message')).replace(/\.$/, ''),
      events: [event],
    }
  },
})
