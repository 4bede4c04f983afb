import { type AlertState, stateText } from '#features/integrations/webhook-services/alerts.ts'
import { integration, unsupported } from '#features/integrations/webhook-services/declaration.ts'
import { inline } from '#features/integrations/webhook-services/format.ts'
import { chosen, signs } from '#features/integrations/webhook-services/signs.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

const events: Readonly<Record<string, readonly [words: string, state: AlertState]>> = {
  new_item: ['is new', 'firing'],
  occurrence: ['occurred', 'firing'],
  exp_repeat_item: ['occurred again', 'firing'],
  item_velocity: ['occurs often', 'firing'],
  reactivated_item: ['occurs again', 'firing'],
  reopened_item: ['was reopened', 'warning'],
  resolved_item: ['was resolved', 'resolved'],
}

const levels: Readonly<Record<string, string>> = {
  '10': 'debug',
  '20': 'info',
  '30': 'warning',
  '40': 'error',
  '50': 'critical',
}

/** @source Rollbar Docs, "Webhooks" */
export const rollbar = integration({
  name: 'rollbar',
  displayName: 'Rollbar',
  category: 'Error tracking',
  eventTypes: [...Object.keys(events), 'test'],
  sendsLongPayloads: true,
  steps: steps([
    'In the project, open **Settings → Notifications → Webhook**.',
    'Paste `{url}`, turn it on, and press **Send test notification**.',
  ]),
  example: {
    body: {
      event_name: 'new_item',
      data: {
        item: {
          title: 'TypeError: roses is undefined',
          level: 40,
          environment: 'production',
          counter: 7,
          total_occurrences: 1,
        },
      },
    },
    topic: 'TypeError: roses is undefined',
  },
  render({ payload }) {
    const event = payload.text('event_name')
    if (event === 'test') {
      return {
        topic: 'Rollbar',
        content: `The Rollbar webhook was set up ${signs.tada}`,
        events: [event],
      }
    }
    const known = chosen(events, event)
    if (!known) return unsupported(event)
    const [words, state] = known
    const item = payload.object('data.item')
    const title = item.text('title')
    const level = item.maybeText('level') ?? ''
    const at = (path: string) => inline(item.maybeText(path) ?? '', 60)
    const number = item.someText('counter')
    const content = stateText({
      state,
      name: number === undefined ? title : `#${number} ${title}`,
      url: payload.firstText('data.url', 'data.item.url'),
      words,
      facts: [
        ['Level', inline(chosen(levels, level) ?? level, 30)],
        ['Environment', at('environment')],
        ['Occurrences', at('total_occurrences')],
      ],
    })
    return { topic: title, content, events: [event] }
  },
})
