import * as v from 'valibot'
import { indexForSearch } from '#features/messaging/messages/indexing.actions.ts'
import { badRequest } from '#platform/errors.ts'
import type { Term } from '#platform/events/types.ts'
import { isoMoment } from '#platform/time-zones.ts'
import { messageMarkdown, messageShape, shownMessages } from './messages.queries.ts'
import { namedChannel, namedPeople, namedPerson } from './places.queries.ts'
import { queryParts } from './query.ts'
import { find } from './reading.actions.ts'
import {
  about,
  type Call,
  countFitting,
  isId,
  limitParam,
  readOnly,
  replyLimit,
  text,
  tool,
} from './tool.actions.ts'

const momentParam = (what: string) =>
  v.optional(about(text(40), `${what}: 2026-05-01, or with a time: 2026-05-01T09:30:00+02:00.`))

export const searchMessages = tool({
  name: 'search_messages',
  title: 'Search messages',
  description: `Finds messages by words and by the operators of the search box, newest first, in everything that the person may read. An answer has at most ${replyLimit} characters; a cursor leads to older results.`,
  hints: readOnly,
  input: {
    query: v.optional(
      about(
        text(1000),
        'Words, "phrases" and operators, a minus before one negates it: channel:design topic:"new logo" sender:Cordelia dm:Iago dm-including:Iago is:mentioned is:starred is:unread is:dm is:alerted has:link has:attachment has:image has:reaction.',
      ),
      '',
    ),
    channel: v.optional(about(v.union([text(200), isId]), 'Only in this channel, by name or ID.')),
    topic: v.optional(about(text(200), 'Only in this topic.')),
    sender: v.optional(
      about(v.union([text(200), isId]), 'Only by this person: a name, an address, an ID, or me.'),
    ),
    after: momentParam('Only what was sent then or later'),
    before: momentParam('Only what was sent earlier'),
    cursor: v.optional(
      about(
        v.pipe(text(20), v.regex(/^\d{1,15}$/, 'not a cursor of this tool')),
        'To go on: next_cursor of an answer.',
      ),
    ),
    limit: limitParam(50, 15),
  },
  output: {
    messages: v.array(messageShape),
    next_cursor: v.optional(v.string()),
  },
  async run(call, { query, cursor, limit, ...only }) {
    const { caller, origin } = call
    const terms = [...termsIn(call, query), ...termsOf(call, only)]
    if (terms.length === 0) throw badRequest('Say what to search for.')
    await call.finish(indexForSearch(caller.store, terms))
    const window = await find(call, terms, {
      anchor: cursor === undefined ? 'newest' : Number(cursor),
      includeAnchor: cursor === undefined,
      numBefore: limit,
      numAfter: 0,
    })
    const ids = [...window.ids].reverse()
    const all = shownMessages(caller, ids, { origin, contentLimit: 1500, namesPlace: true })
    const messages = all.slice(
      0,
      countFitting(all, (each) => JSON.stringify(each).length),
    )
    const last = messages.at(-1)
    const isAll = window.foundOldest && messages.length === all.length
    const next = last && !isAll ? String(last.message_id) : undefined
    const head =
      messages.length === 0 ? 'Nothing found.' : `${messages.length} messages, newest first`
    return {
      structured: { messages, ...(next && { next_cursor: next }) },
      markdown: [
        head,
        ...messages.map(messageMarkdown),
        ...(next ? [`Older results: cursor ${next}`] : []),
      ].join('\n\n'),
    }
  },
})

interface Only {
  readonly channel?: string | number | undefined
  readonly topic?: string | undefined
  readonly sender?: string | number | undefined
  readonly after?: string | undefined
  readonly before?: string | undefined
}

/** @throws BAD_REQUEST an unknown channel or person, or a moment in another form */
function termsOf({ caller }: Call, { channel, topic, sender, after, before }: Only): Term[] {
  const term = (operator: string, operand: Term['operand']) => ({
    operator,
    operand,
    negated: false,
  })
  return [
    ...(channel === undefined ? [] : [term('channel', namedChannel(caller, channel).id)]),
    ...(topic === undefined ? [] : [term('topic', topic)]),
    ...(sender === undefined ? [] : [term('sender', namedPerson(caller, sender).id)]),
    ...(after === undefined ? [] : [term('after', moment('after', after))]),
    ...(before === undefined ? [] : [term('before', moment('before', before))]),
  ]
}

/** A day stands for its first moment where the person is; that is what the operator makes of it. */
function moment(name: string, text: string): string | number {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return text
  const time = isoMoment(text)
  if (time === undefined) throw badRequest(`${name} is not an ISO 8601 date or time.`)
  return Math.ceil(time)
}

/** The terms of a text with operators. @throws BAD_REQUEST as `termsOf` */
function termsIn({ caller }: Call, query: string): Term[] {
  const { terms, words } = queryParts(query)
  const named = terms.map((term): Term => {
    const { operator, operand } = term
    if (operator === 'channel' || operator === 'stream')
      return { ...term, operand: namedChannel(caller, operand).id }
    if (operator === 'sender' || operator === 'from')
      return { ...term, operand: namedPerson(caller, operand).id }
    if (operator === 'dm' || operator === 'pm-with' || operator === 'dm-including')
      return { ...term, operand: namedPeople(caller, operand.split(',')).map(({ id }) => id) }
    return term
  })
  return words === '' ? named : [...named, { operator: 'search', operand: words, negated: false }]
}
