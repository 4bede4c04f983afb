import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { findMessage } from '#features/foundation/core/queries.ts'
import { narrowMatcher, queueNarrowLimits } from '#features/messaging/narrow/live.queries.ts'
import type { NarrowSubject, Term } from '#platform/events/types.ts'
import { success } from '#test/support/replies.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const member = server.as('member')
const { store } = server.server.context

const term = (operator: string, operand: string, negated = false): Term => ({
  operator,
  operand,
  negated,
})
const register = (narrow: readonly Term[]) =>
  member.post('/register', { event_types: ['message'], fetch_event_types: ['message'], narrow })

describe('the narrow of an event queue', () => {
  const { terms, bytes, searches, searchWords } = queueNarrowLimits
  const words = (count: number) => Array.from({ length: count }, (_, i) => `w${i}`).join(' ')
  const repeated = (count: number, make: (i: number) => Term) =>
    Array.from({ length: count }, (_, i) => make(i))
  /** As long as a parameter lets an operand be. */
  const long = 990
  const most = Math.floor(bytes / (long + 60))
  // biome-ignore format: a matrix reads best in columns
  const matrix: [string, Term[], string | undefined][] = [
    ['the most filters',      repeated(terms, (i) => term('topic', `t${i}`)),        undefined],
    ['one filter more',       repeated(terms + 1, (i) => term('topic', `t${i}`)),    `more than ${terms} filters for events`],
    ['many bytes',            repeated(most, () => term('topic', 'x'.repeat(long))), undefined],
    ['too many bytes',        repeated(most + 2, () => term('topic', 'x'.repeat(long))),    `more than ${bytes} bytes for events`],
    ['too many wide letters', repeated(most, () => term('topic', 'ж'.repeat(long))),                     `more than ${bytes} bytes for events`],
    ['the most searches',     repeated(searches, (i) => term('search', `t${i}`)),    undefined],
    ['one search more',       repeated(searches + 1, (i) => term('search', `t${i}`)), `more than ${searches} searches for events`],
    ['the most words',        [term('search', words(searchWords))],                  undefined],
    ['one word more',         [term('search', words(searchWords + 1))],              `more than ${searchWords} words for events`],
    ['words joined by signs', [term('search', words(searchWords + 1).replaceAll(' ', '-'))], `more than ${searchWords} words for events`],
    ['words in two searches', [term('search', words(searchWords)), term('search', 'more', true)], `more than ${searchWords} words for events`],
  ]
  for (const [what, narrow, desc] of matrix) {
    test(`${desc ? 'may not have' : 'may have'} ${what}`, async () => {
      const reply = await register(narrow)
      if (!desc) assert.equal(reply.result, 'success', reply.msg)
      else assert.deepEqual([reply.code, reply.desc], ['BAD_NARROW', desc])
    })
  }
})

test('a search finds the same messages in a queue as in the history', async () => {
  const part = fc.constantFrom(
    'run',
    'Running',
    'café',
    'cafe',
    'Straße',
    'naïve',
    'e-mail',
    'mail',
    'C++',
    '!!!',
    '"',
    '""',
    '"run mail"',
    '"cafe running"',
    'x_y',
    '日本語',
    '本',
    'Ｒｕｎ日',
    'ﾊﾟ語パ',
    '"パ 日"',
    'ที่นี่',
    'مُحَمَّد',
    'محمد',
    'еще',
    'Ещё',
    'İ',
    "don't",
    '*',
    'NOT',
    'a',
    'plans',
    '(',
    '👍',
    '👍🏽',
    ':+1:',
    '❤️',
    'v1.2.3',
    '1.2',
    'te**xt**',
    'text',
    'ru*',
    'mai*',
    'deploym*',
    'deployed',
  )
  const text = (most: number) =>
    fc.array(part, { minLength: 1, maxLength: most }).map((parts) => parts.join(' '))
  const sent: Said[] = []
  for (const [content, topic] of fc.sample(fc.tuple(text(8), text(2)), { numRuns: 60, seed: 7 })) {
    const id = await server.say('owner', 'public', topic, content)
    const stored = findMessage(store, id)
    assert.ok(stored)
    const { content: source, renderedContent, topic: place } = stored
    sent.push({ id, content: source, renderedContent, topic: place })
  }
  let found = 0
  for (const searched of fc.sample(text(3), { numRuns: 150, seed: 8 })) {
    const narrow = [term('search', searched)]
    const matches = narrowMatcher(store, { userId: member.id, narrow })
    assert.ok(matches)
    const live = sent.filter((message) => matches(subject(message))).map(({ id }) => id)
    const history = await member.get<{ messages: { id: number }[] }>('/messages', {
      narrow,
      anchor: 'newest',
      num_before: 200,
      num_after: 0,
    })
    const ids = history.messages
      .map(({ id }) => id)
      .filter((id) => sent.some((one) => one.id === id))
    assert.deepEqual(live, ids, `searching for ${searched}`)
    found += ids.length
  }
  assert.ok(found > 100, 'the searches find something')
})

type Said = Pick<NarrowSubject, 'id' | 'content' | 'renderedContent' | 'topic'>

function subject(message: Said): NarrowSubject {
  return {
    ...message,
    senderId: 9,
    recipientId: 1,
    channel: undefined,
    people: [],
    sentAt: 0,
    hasLink: false,
    hasImage: false,
    hasAttachment: false,
    flags: [],
  }
}

test('searches filter the events of a queue, negated ones too', async () => {
  const queue = await member.watchWith({
    event_types: ['message'],
    narrow: [term('search', 'harbor'), term('search', 'storm', true)],
  })
  await server.say('owner', 'public', 'weather', 'The harbors are open')
  await server.say('owner', 'public', 'weather', 'A storm at the harbor')
  await server.say('owner', 'public', 'harbor', 'Calm')
  const events = await queue.drain()
  assert.deepEqual(
    events.map(({ message }) => (message as { subject: string }).subject),
    ['weather', 'harbor'],
  )
  assert.deepEqual(await member.del('/events', { queue_id: queue.queueId }), success)
})
