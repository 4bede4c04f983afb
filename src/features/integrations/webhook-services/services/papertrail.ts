import { integration } from '#features/integrations/webhook-services/declaration.ts'
import { codeBlock, lines, link } from '#features/integrations/webhook-services/format.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

/** The most events that are shown. */
const mostEvents = 4

/** @source Papertrail, "Web hooks" */
export const papertrail = integration({
  name: 'papertrail',
  displayName: 'Papertrail',
  category: 'Monitoring',
  eventTypes: null,
  sendsLongPayloads: true,
  steps: steps(['Save a search, and open its alerts.', 'Choose **Webhook**, and paste `{url}`.']),
  example: {
    body: {
      saved_search: { name: 'Dry soil', html_search_url: 'https://papertrailapp.com/searches/42' },
      events: [
        {
          display_received_at: 'Nov 02 08:30:00',
          source_name: 'bed-3',
          program: 'soil',
          message: 'moisture 12 %',
        },
      ],
    },
    topic: 'logs',
  },
  render({ payload }) {
    const events = payload.list('events')
    const search = link(
      payload.text('saved_search.name'),
      payload.maybeText('saved_search.html_search_url'),
    )
    const shown = events.slice(0, mostEvents).map((event) => {
      const at = (name: string) => event.maybeText(name) ?? ''
      return `${at('display_received_at')} - ${at('source_name')} - ${at('program')}: ${at('message')}`
    })
    const more =
      events.length > mostEvents &&
      link('See the others', payload.maybeText('saved_search.html_search_url'))
    const amount = `${events.length} ${events.length === 1 ? 'match' : 'matches'}`
    return {
      topic: 'logs',
      content: lines(
        `Search ${search} found **${amount}**:\n`,
        shown.length > 0 && codeBlock(shown.join('\n'), '', 4000),
        more,
      ),
    }
  },
})
