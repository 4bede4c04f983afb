import { integration, unsupported } from '#features/integrations/webhook-services/declaration.ts'
import { inline, link } from '#features/integrations/webhook-services/format.ts'
import { chosen, signs } from '#features/integrations/webhook-services/signs.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

const states: Readonly<Record<string, readonly [words: string, sign: string]>> = {
  scheduled: ['was started', signs.started],
  running: ['was started', signs.started],
  succeeded: ['succeeded', signs.done],
  failed: ['failed', signs.failed],
  'failed-with-retry': ['failed, and is tried again', signs.failed],
  aborted: ['was aborted', signs.failed],
  timedout: ['ran out of time', signs.failed],
}

/** @source Rundeck documentation, "Webhook notifications" */
export const rundeck = integration({
  name: 'rundeck',
  displayName: 'Rundeck',
  category: 'Infrastructure',
  eventTypes: ['start', 'success', 'failure', 'avgduration', 'onretryablefailure'],
  sendsLongPayloads: true,
  steps: steps([
    'Edit the job, and open **Notifications**.',
    'Add a **Send Webhook** for the events, paste `{url}`, and choose the method `POST` and the payload format JSON.',
  ]),
  example: {
    body: {
      trigger: 'success',
      execution: {
        id: 12,
        status: 'succeeded',
        project: 'garden',
        href: 'https://rundeck.example.com/project/garden/execution/show/12',
        job: {
          name: 'Water the beds',
          permalink: 'https://rundeck.example.com/project/garden/job/show/3',
        },
      },
    },
    topic: 'Water the beds',
  },
  render({ payload }) {
    const trigger = payload.text('trigger')
    const status = payload.text('execution.status')
    const name = payload.text('execution.job.name')
    const known =
      trigger === 'avgduration'
        ? (['takes longer than usual', signs.slow] as const)
        : chosen(states, status)
    if (!known) return unsupported(status)
    const [words, sign] = known
    const job = link(name, payload.maybeText('execution.job.permalink'))
    const execution = link(`#${payload.text('execution.id')}`, payload.maybeText('execution.href'))
    const project = payload.someText('execution.project')
    const where = project === undefined ? '' : ` in ${inline(project)}`
    return {
      topic: name,
      content: `${job} execution ${execution}${where} ${words} ${sign}`,
      events: [trigger],
    }
  },
})
