import type { Reading } from '#features/organization/imports/source.ts'
import type { Moment, SpanItem } from '#features/organization/imports/stream.ts'
import { auditEvent } from './rows.ts'
import { realmFile, tableRows } from './tables.ts'

/** Kinds of events of the audit log: someone was subscribed for the first time, again, not anymore. */
const events = { created: 301, activated: 302, deactivated: 303 } as const

interface Event {
  readonly id: number
  readonly isStart: boolean
  readonly moment: Moment & { readonly time: number }
}

export const pairOf = (person: number, channel: number) => `${person}:${channel}`

/**
 * The periods of subscriptions, from the audit log.
 *
 * @param known gets the pairs of people and channels in it
 */
export async function* auditedSpans(
  reading: Reading,
  known: Set<string>,
): AsyncGenerator<SpanItem> {
  const found = new Map<string, Event[]>()
  const rows = tableRows(reading, realmFile, {
    zerver_realmauditlog: ['subscriptions', auditEvent],
  })
  for await (const { row } of rows) {
    const { event_last_message_id: messageId, event_time: time, event_type } = row
    const isStart = event_type === events.created || event_type === events.activated
    if (!isStart && event_type !== events.deactivated) continue
    if (!row.modified_user || !row.modified_stream) continue
    const pair = pairOf(row.modified_user, row.modified_stream)
    const moment = typeof messageId === 'number' ? { messageId, time } : { time }
    const list = found.get(pair) ?? []
    list.push({ id: row.id, isStart, moment })
    found.set(pair, list)
  }
  for (const [pair, list] of found) {
    known.add(pair)
    const [person = '', channel = ''] = pair.split(':')
    list.sort((a, b) => a.moment.time - b.moment.time || a.id - b.id)
    let from: Moment | undefined
    // An end without a beginning: they were there from the first message on.
    let isOpen = list[0]?.isStart === false
    for (const { isStart, moment } of list) {
      if (isStart && !isOpen) from = moment
      else if (!isStart && isOpen) {
        yield { type: 'span', person, channel, ...(from && { from }), until: moment }
        from = undefined
      }
      isOpen = isStart
    }
    if (isOpen) yield { type: 'span', person, channel, ...(from && { from }) }
  }
}

/**
 * The messages that someone got in channels with protected history, for which the audit log has no
 * entries.
 */
export class SeenSpans {
  readonly #seen = new Map<string, { first: number; last: number }>()

  add(pair: string, messageId: number): void {
    const seen = this.#seen.get(pair)
    if (!seen) this.#seen.set(pair, { first: messageId, last: messageId })
    else if (messageId < seen.first) seen.first = messageId
    else if (messageId > seen.last) seen.last = messageId
  }

  /** @param isActive whether the person of a pair is still subscribed */
  *items(isActive: (pair: string) => boolean): Generator<SpanItem> {
    for (const [pair, { first, last }] of this.#seen) {
      const [person = '', channel = ''] = pair.split(':')
      yield {
        type: 'span',
        person,
        channel,
        from: { messageId: first - 1 },
        ...(!isActive(pair) && { until: { messageId: last } }),
      }
    }
  }
}
