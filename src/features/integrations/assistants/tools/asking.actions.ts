import * as v from 'valibot'
import { accessMessage, type Message } from '#features/foundation/core/queries.ts'
import { recipientOf } from '#features/foundation/core/recipient.queries.ts'
import { findUser, type User } from '#features/foundation/users/queries.ts'
import { onChange } from '#features/integrations/assistants/changes.actions.ts'
import { sendMessage as send } from '#features/messaging/messages/actions.ts'
import { absoluteUrl } from '#features/messaging/messages/quoting.ts'
import { listSubmessagesOf } from '#features/messaging/messages/submessages/queries.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { widgetOf } from '#shared/widget-state.ts'
import {
  link,
  messageMarkdown,
  messageShape,
  placeOf,
  plain,
  shownMessages,
} from './messages.queries.ts'
import { directPlace, knownPlace, namedPerson } from './places.queries.ts'
import { find, placeParams } from './reading.actions.ts'
import { about, adding, type Call, confirmParam, isId, text, tool } from './tool.actions.ts'
import { confirmReach, drafted } from './writing.actions.ts'

/** How long a call waits for an answer, in seconds. Clients give up after a minute by default. */
const wait = { usual: 45, most: 300, step: 10 } as const

const option = v.pipe(text(200), v.regex(/^[^\r\n]+$/, 'is not one line'))

export const askPerson = tool({
  name: 'ask_person',
  title: 'Ask a person and wait',
  description:
    'Asks a person something, in a direct message or in a topic, in words or with options as a poll, and waits for the answer. Without one in time, call it again with message_id alone to go on waiting: nothing is asked twice.',
  hints: adding,
  input: {
    person: v.optional(
      about(v.union([text(200), isId]), 'Whom to ask: a name, an address or an ID.'),
    ),
    question: v.optional(about(text(8000), 'What to ask.')),
    options: v.optional(
      about(v.pipe(v.array(option), v.minLength(2), v.maxLength(20)), 'Replies to choose from.'),
    ),
    channel: about(placeParams.channel, 'Ask there instead of in a direct message; with topic.'),
    topic: placeParams.topic,
    message_id: v.optional(about(isId, 'A question that was asked before: only wait.')),
    wait_seconds: v.optional(
      about(
        v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(wait.most)),
        `How long to wait; ${wait.usual} unless given.`,
      ),
      wait.usual,
    ),
    confirm: confirmParam,
  },
  output: {
    message_id: v.number(),
    is_answered: v.boolean(),
    answers: v.array(messageShape),
    votes: v.optional(v.array(v.object({ option: v.string(), people: v.array(v.string()) }))),
    url: v.string(),
  },
  async run(call, { message_id: id, wait_seconds: seconds, ...asked }) {
    const { caller, origin } = call
    const isNew = asked.person !== undefined && asked.question !== undefined
    if (isNew === (id !== undefined)) {
      throw badRequest('Give person and question, or the message_id of a question.')
    }
    const question = accessMessage(caller.store, caller, id ?? (await ask(call, asked)))
    if (question.senderId !== caller.user.id) throw badRequest('The person did not ask this.')
    const { replies, votes } = await repliesWithin(call, question, seconds)
    const hasReplies = replies.length > 0 || votes.some(({ people }) => people.length > 0)
    const url = absoluteUrl(question, recipientOf(caller.store, question.recipientId), origin)
    const messages = shownMessages(caller, replies, {
      origin,
      contentLimit: 4000,
      namesPlace: false,
    })
    const lines = votes.map(
      ({ option, people }) => `- ${plain(option)}: ${people.map(plain).join(', ') || 'nobody'}`,
    )
    const head = `Asked in ${link(`message ${question.id}`, url)}: ${hasReplies ? 'answered' : `no answer yet; call ask_person with message_id ${question.id} to go on waiting`}`
    return {
      structured: {
        message_id: question.id,
        is_answered: hasReplies,
        answers: messages,
        ...(votes.length > 0 && { votes }),
        url,
      },
      markdown: [head, ...messages.map(messageMarkdown), lines.join('\n')].join('\n\n').trim(),
    }
  },
})

interface Asked {
  readonly person?: string | number | undefined
  readonly question?: string | undefined
  readonly options?: readonly string[] | undefined
  readonly channel?: string | number | undefined
  readonly topic?: string | undefined
}

/** @returns the ID of the question */
async function ask(
  call: Call,
  { person, question = '', options, channel, topic }: Asked,
): Promise<number> {
  const { caller } = call
  const asked = namedPerson(caller, person ?? '')
  const place =
    channel === undefined ? directPlace(caller, [asked]) : knownPlace(caller, { channel, topic })
  const line = question
    .split('\n')
    .flatMap((each) => each.trim() || [])
    .join(' ')
  const words = options
    ? [`/poll ${addressed(line)}`, ...options.map((each) => `- ${each}`)].join('\n')
    : addressed(question)
  const draft = await drafted(call, place, words)
  confirmReach(call, place, draft.rendered)
  const { message } = await caller.store.write((tx, user) => send(tx, user, draft))
  return message.id

  function addressed(text: string): string {
    return channel === undefined ? text : `@**${asked.fullName}|${asked.id}** ${text}`
  }
}

interface Replies {
  /** IDs of messages. */
  readonly replies: readonly number[]
  readonly votes: { option: string; people: string[] }[]
}

/** The answers to a question, once there are any or the time is over. */
async function repliesWithin(call: Call, question: Message, seconds: number): Promise<Replies> {
  const { caller, signal } = call
  const { clock } = caller.server
  const until = clock.now() + seconds * 1000
  for (;;) {
    let wake = () => {}
    const changed = new Promise<void>((resolve) => {
      wake = resolve
    })
    const ends = [
      onChange(caller.store, ({ recipientId }) => {
        if (recipientId === question.recipientId) wake()
      }),
      clock.after(Math.min(wait.step * 1000, Math.max(until - clock.now(), 0)), wake),
    ]
    signal.addEventListener('abort', wake)
    try {
      const found = await repliesTo(call, question)
      const isDone = found.replies.length > 0 || found.votes.some(({ people }) => people.length > 0)
      if (isDone || clock.now() >= until || signal.aborted) return found
      const passed = seconds - Math.ceil((until - clock.now()) / 1000)
      await call.progress(passed, seconds, 'Waiting for an answer')
      await changed
      // What was allowed when the call came may not be anymore.
      caller.requireCurrent(caller.store)
    } finally {
      for (const end of ends) end()
      signal.removeEventListener('abort', wake)
    }
  }
}

/** The first messages of others after the question, in its conversation, and the votes in its poll. */
async function repliesTo(call: Call, { id }: Message): Promise<Replies> {
  const { caller } = call
  const { store, user } = caller
  const question = accessMessage(store, caller, id)
  const place = placeOf(caller, question, recipientOf(store, question.recipientId))
  const notMine = { operator: 'sender', operand: user.id, negated: true }
  const { ids } = await find(call, [...place.terms, notMine], {
    anchor: question.id,
    includeAnchor: false,
    numBefore: 0,
    numAfter: 5,
  })
  return { replies: ids, votes: votesOn(caller, question) }
}

/** Who voted for what in a poll, but for the one who asked. */
function votesOn({ store, user }: Caller, question: Message): Replies['votes'] {
  const submessages = listSubmessagesOf(store, [question]).get(question.id) ?? []
  const widget = widgetOf(submessages, question.senderId)
  if (widget?.kind !== 'poll') return []
  const nameOf = (each: User | undefined) => each?.fullName ?? 'someone'
  return widget.options.map(({ text, voterIds }) => ({
    option: text,
    people: voterIds.filter((id) => id !== user.id).map((id) => nameOf(findUser(store, id))),
  }))
}
