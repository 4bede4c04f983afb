import { buildResult } from '#features/integrations/webhook-services/builds.ts'
import { integration } from '#features/integrations/webhook-services/declaration.ts'
import { inline, lines, link, listed } from '#features/integrations/webhook-services/format.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

/** @source AWX documentation, "Notifications: webhook" */
export const ansibletower = integration({
  name: 'ansibletower',
  displayName: 'Ansible AWX',
  category: 'Infrastructure',
  eventTypes: null,
  sendsLongPayloads: true,
  steps: steps([
    'Open **Administration → Notifications**, and add a template of the type **Webhook**.',
    'Paste `{url}` as **Target URL**, with the method `POST`, save, and turn it on for templates and projects.',
  ]),
  example: {
    body: {
      id: 12,
      name: 'Water the beds',
      friendly_name: 'Job',
      status: 'failed',
      url: 'https://awx.example.com/#/jobs/playbook/12',
      hosts: { 'bed-3': { failed: true }, 'bed-1': { failed: false } },
    },
    topic: 'Water the beds',
  },
  render({ payload }) {
    const name = payload.text('name')
    const kind = inline(payload.someText('friendly_name') ?? 'Job', 60)
    const target = link(`#${payload.text('id')} ${name}`, payload.text('url'))
    const hosts = payload
      .entries('hosts')
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(
        ([host, facts]) =>
          `* ${inline(host)}: ${buildResult(facts.flag('failed') ? 'failed' : 'success')}`,
      )
    return {
      topic: name,
      content: lines(
        `${kind} ${target}: ${buildResult(payload.text('status'))}`,
        hosts.length > 0 && `\n${listed(hosts, (line) => line)}`,
      ),
    }
  },
})
