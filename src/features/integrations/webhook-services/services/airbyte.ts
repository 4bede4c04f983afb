import { durationText, stateSign } from '#features/integrations/webhook-services/alerts.ts'
import { integration } from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import {
  bullet,
  inline,
  lines,
  link,
  paragraphs,
  quoted,
} from '#features/integrations/webhook-services/format.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

/** A name with the page of it. */
function named(data: Fields, path: string): string {
  return link(data.text(`${path}.name`), data.maybeText(`${path}.url`))
}

/** @source Airbyte documentation, "Notifications: webhook" */
export const airbyte = integration({
  name: 'airbyte',
  displayName: 'Airbyte',
  category: 'Infrastructure',
  eventTypes: ['success', 'failure'],
  steps: steps([
    'Open **Settings → Notifications**, and choose **Webhook** for the events.',
    'Paste `{url}`, and press **Test**, then save.',
  ]),
  example: {
    body: {
      data: {
        success: true,
        workspace: { name: 'Garden', url: 'https://cloud.airbyte.com/workspaces/1' },
        connection: {
          name: 'Sensors to lake',
          url: 'https://cloud.airbyte.com/workspaces/1/connections/2',
        },
        source: { name: 'Sensors', url: 'https://cloud.airbyte.com/workspaces/1/source/3' },
        destination: { name: 'Lake', url: 'https://cloud.airbyte.com/workspaces/1/destination/4' },
        durationInSeconds: 75,
        recordsEmitted: 120,
        recordsCommitted: 120,
        bytesEmittedFormatted: '12 KB',
        bytesCommittedFormatted: '12 KB',
      },
    },
    topic: 'Garden - Sensors to lake',
  },
  render({ payload }) {
    // A test is a text for Slack.
    if (!payload.has('data') && payload.maybeText('text')?.includes('Airbyte')) {
      return { topic: 'Airbyte', content: inline(payload.text('text'), 1000), events: ['success'] }
    }
    const data = payload.object('data')
    const isGood = data.text('success') === 'true'
    const seconds = data.maybeNumber('durationInSeconds')
    const at = (path: string) => inline(data.maybeText(path) ?? '', 60)
    const error = data.firstText('errorMessage')
    return {
      topic: `${data.text('workspace.name')} - ${data.text('connection.name')}`,
      content: paragraphs(
        `${stateSign(isGood ? 'resolved' : 'firing')} The sync of ${named(data, 'connection')} ${isGood ? 'succeeded' : 'failed'}.`,
        lines(
          bullet('Source', named(data, 'source')),
          bullet('Destination', named(data, 'destination')),
          bullet('Duration', seconds === undefined ? undefined : durationText(seconds)),
          bullet(
            'Records',
            data.has('recordsEmitted')
              ? `${at('recordsEmitted')} emitted, ${at('recordsCommitted')} committed`
              : undefined,
          ),
          bullet(
            'Bytes',
            data.has('bytesEmittedFormatted')
              ? `${at('bytesEmittedFormatted')} emitted, ${at('bytesCommittedFormatted')} committed`
              : undefined,
          ),
        ),
        !isGood && error && quoted(error),
      ),
      events: [isGood ? 'success' : 'failure'],
    }
  },
})
