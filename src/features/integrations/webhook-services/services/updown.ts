import { durationText, stateText } from '#features/integrations/webhook-services/alerts.ts'
import {
  integration,
  type Note,
  unsupported,
} from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import { code, timestamp } from '#features/integrations/webhook-services/format.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

function noteOf(item: Fields): Note | undefined {
  const event = item.text('event')
  const url = item.text('check.url')
  const name = item.someText('check.alias') ?? url
  if (event !== 'check.up' && event !== 'check.down') return undefined
  const error = item.someText('downtime.error')
  const started = timestamp(item.maybeText('downtime.started_at'))
  const seconds = item.maybeNumber('downtime.duration')
  const isUp = event === 'check.up'
  const content = stateText({
    state: isUp ? 'resolved' : 'firing',
    name,
    url,
    words: isUp ? 'is up again' : 'is down',
    facts: [
      ['Error', isUp || error === undefined ? undefined : code(error)],
      ['Since', isUp ? undefined : started],
      ['Down for', isUp && seconds !== undefined ? durationText(seconds) : undefined],
    ],
  })
  return { topic: url, content, events: [isUp ? 'up' : 'down', event] }
}

/** @source updown.io API, "Webhooks" */
export const updown = integration({
  name: 'updown',
  displayName: 'updown.io',
  category: 'Monitoring',
  eventTypes: ['up', 'down'],
  steps: steps([
    'Open **Settings**, and add a **Webhook** as a recipient.',
    'Paste `{url}`, and press **Test**.',
  ]),
  example: {
    body: [
      {
        event: 'check.down',
        check: { url: 'https://garden.example.com' },
        downtime: { error: '500', started_at: '2026-11-02T08:30:00Z', duration: null },
      },
    ],
    topic: 'https://garden.example.com',
  },
  render({ payload }) {
    const items = payload.list('')
    const notes = items.flatMap((item) => noteOf(item) ?? [])
    const [unknown] = items
    return notes.length === 0 && unknown ? unsupported(unknown.text('event')) : notes
  },
})
