import { integration, unsupported } from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import { code, inline, lines } from '#features/integrations/webhook-services/format.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

/** Events of charts, and those that would be too many. */
const ignored = `DOWNLOAD_CHART DELETE_CHART UPLOAD_CHART PULL_ARTIFACT DELETE_ARTIFACT
  SCANNING_FAILED`.split(/\s+/)

/** The name of an image with its tag or, without one, its digest. */
function imageOf(payload: Fields): string {
  const name = payload.text('event_data.repository.repo_full_name')
  const resource = payload.object('event_data.resources.0')
  const tag = resource.someText('tag')
  return code(tag === undefined ? `${name}@${resource.text('digest')}` : `${name}:${tag}`)
}

/** How many problems of each severity the scan found. */
function findings(payload: Fields): string[] {
  const [report] = payload.object('event_data.resources.0').entries('scan_overview')
  const counts = report?.[1].entries('summary.summary') ?? []
  return counts
    .slice(0, 20)
    .map(
      ([severity, count]) =>
        `* **${inline(severity, 60)}**: ${inline(count.maybeText('') ?? '0', 20)}`,
    )
}

/** @source Harbor docs, "Configure webhook notifications" */
export const harbor = integration({
  name: 'harbor',
  displayName: 'Harbor',
  category: 'Infrastructure',
  eventTypes: ['PUSH_ARTIFACT', 'SCANNING_COMPLETED'],
  steps: steps([
    'In the project, open **Webhooks**, and press **New Webhook**.',
    'Choose the type **http** and the default payload format, the events **Artifact pushed** and **Scanning finished**, and paste `{url}` as **Endpoint URL**.',
  ]),
  example: {
    body: {
      type: 'PUSH_ARTIFACT',
      operator: 'ada',
      event_data: {
        repository: { repo_full_name: 'acme/garden' },
        resources: [{ tag: 'latest', digest: 'sha256:82716f5e4d3c2b1a' }],
      },
    },
    topic: 'acme/garden',
  },
  render({ payload }) {
    const type = payload.text('type')
    if (ignored.includes(type)) return undefined
    const topic = () => payload.text('event_data.repository.repo_full_name')
    switch (type) {
      case 'PUSH_ARTIFACT':
        return {
          topic: topic(),
          content: `${inline(payload.text('operator'))} pushed the image ${imageOf(payload)}.`,
          events: [type],
        }
      case 'SCANNING_COMPLETED': {
        const found = findings(payload)
        const line = `The scan of the image ${imageOf(payload)} found`
        return {
          topic: topic(),
          content:
            found.length === 0 ? `${line} no vulnerabilities.` : lines(`${line}:\n`, ...found),
          events: [type],
        }
      }
      default:
        return unsupported(type)
    }
  },
})
