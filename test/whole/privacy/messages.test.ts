import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type CallParams, type Reply, startServer, type Watch } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

/** The author of all messages, who is subscribed to every channel. */
const author = server.as('zoe')

const actors = {
  owner: server.as('owner'),
  admin: server.as('admin'),
  moderator: server.as('moderator'),
  subscriber: await server.enroll('Subscriber'),
  stranger: await server.enroll('Stranger'),
  guest: await server.enroll('Invited Guest', 600),
  strangeGuest: await server.enroll('Strange Guest', 600),
  bot: server.as('bot'),
  deactivated: await server.enroll('Former Subscriber'),
  nobody: server.anonymous,
}
type Actor = keyof typeof actors

const subscribed = [actors.subscriber, actors.guest, actors.deactivated]

interface Place {
  /** Undefined: a direct message. */
  readonly channel?: { readonly id: number; readonly name: string }
  readonly message: number
  /** In the message alone, like its topic. */
  readonly word: string
}

/** Like a place, but there never was one. */
const phantom: Place = {
  channel: { id: 987_654, name: 'never made' },
  message: 987_654_321,
  word: 'phantomword',
}

async function ok<T extends object>(reply: Promise<Reply<T>>): Promise<Reply<T>> {
  const settled = await reply
  assert.equal(settled.result, 'success', settled.msg)
  return settled
}

async function create(name: string, settings: CallParams): Promise<{ id: number; name: string }> {
  const { id } = await ok(
    author.post<{ id: number }>('/channels/create', {
      name,
      subscribers: [author.id],
      // So that administrators have to be let in like everyone else.
      can_administer_channel_group: { direct_members: [author.id], direct_subgroups: [] },
      ...settings,
    }),
  )
  return { id, name }
}

const admit = (name: string) =>
  ok(
    author.post('/users/me/subscriptions', {
      subscriptions: [{ name }],
      principals: subscribed.map(({ id }) => id),
      send_new_subscription_messages: false,
    }),
  )

/** A message that was edited, so that it has a history. */
async function say(word: string, to: CallParams): Promise<{ message: number; word: string }> {
  const { id } = await ok(author.post<{ id: number }>('/messages', { ...to, content: word }))
  await ok(author.patch(`/messages/${id}`, { content: `${word} again` }))
  return { message: id, word }
}

const sayIn = async (channel: { id: number; name: string }, word: string): Promise<Place> => ({
  channel,
  ...(await say(word, { type: 'channel', to: channel.id, topic: `topic ${word}` })),
})

const channels = {
  public: await create('open house', {}),
  webPublic: { id: server.channels.webPublic, name: 'Rome' },
  shared: await create('shared secret', { invite_only: true, history_public_to_subscribers: true }),
  protected: await create('kept secret', {
    invite_only: true,
    history_public_to_subscribers: false,
  }),
  archived: await create('old house', {}),
  archivedSecret: await create('old secret', {
    invite_only: true,
    history_public_to_subscribers: true,
  }),
}

const listening = new Map<Actor, Watch>()
for (const [name, actor] of Object.entries(actors)) {
  if (!('watchWith' in actor)) continue
  const queue = await actor.watchWith({ event_types: ['message', 'reaction'] })
  listening.set(name as Actor, queue)
}

for (const [name, channel] of Object.entries(channels)) {
  if (name !== 'protected') await admit(channel.name)
}
const before = await sayIn(channels.protected, 'wordbefore')
await admit(channels.protected.name)

const others = [actors.subscriber, actors.guest, actors.deactivated].map(({ id }) => id)
const places = {
  public: await sayIn(channels.public, 'wordpublic'),
  webPublic: await sayIn(channels.webPublic, 'wordweb'),
  shared: await sayIn(channels.shared, 'wordshared'),
  protectedBefore: before,
  protectedAfter: await sayIn(channels.protected, 'wordafter'),
  archived: await sayIn(channels.archived, 'wordarchived'),
  archivedSecret: await sayIn(channels.archivedSecret, 'wordoldsecret'),
  direct: await say('worddirect', { type: 'direct', to: others }),
} satisfies Record<string, Place>
type PlaceName = keyof typeof places

const vote = { emoji_name: 'octopus' }
for (const { message } of Object.values(places)) {
  await ok(author.post(`/messages/${message}/reactions`, vote))
}

/** Ids of the messages that events told each actor of: sent, and reacted to. */
const heard = new Map<Actor, { message: Set<number>; reaction: Set<number> }>()
for (const [name, queue] of listening) {
  const told = { message: new Set<number>(), reaction: new Set<number>() }
  for (const event of await queue.drain()) {
    if (event.type === 'message') told.message.add((event.message as { id: number }).id)
    if (event.type === 'reaction') told.reaction.add(event.message_id as number)
  }
  heard.set(name, told)
}

await ok(server.as('owner').del(`/users/${actors.deactivated.id}`))
for (const { id } of [channels.archived, channels.archivedSecret]) {
  await ok(author.del(`/streams/${id}`))
}

type Caller = (typeof actors)[Actor]
type Ask = (caller: Caller, place: Place) => Promise<Reply>
interface Column {
  readonly ask: Ask
  /** Whether the answer shows what was asked for. */
  readonly shows: (reply: Reply, place: Place) => boolean
}

const inChannel = ({ channel }: Place) =>
  channel ? [['channel', channel.id]] : [['dm', [author.id, ...others]]]
const window = { anchor: 'newest', num_before: 100, num_after: 0 }
const hasMessage = (reply: Reply, { message }: Place) =>
  Array.isArray(reply.messages) && reply.messages.some(({ id }) => id === message)
const fetched =
  (params: (place: Place) => CallParams): Ask =>
  (caller, place) =>
    caller.get('/messages', params(place))
const succeeds = ({ result }: Reply) => result === 'success'
interface Unread {
  readonly unread_message_ids: number[]
}
function unreadIds(unread: unknown): number[] {
  const { streams, pms, huddles } = (unread ?? {}) as Record<string, Unread[] | undefined>
  const stretches = [streams, pms, huddles].flatMap((list) => list ?? [])
  return stretches.flatMap(({ unread_message_ids }) => unread_message_ids)
}

const told = { client_capabilities: { archived_channels: true } }

const columns = {
  narrow: {
    ask: fetched((place) => ({ ...window, narrow: inChannel(place) })),
    shows: hasMessage,
  },
  within: {
    ask: fetched((place) => ({
      ...window,
      narrow: [...inChannel(place), ['search', place.word]],
    })),
    shows: hasMessage,
  },
  feed: { ask: fetched(() => window), shows: hasMessage },
  search: {
    ask: fetched(({ word }) => ({ ...window, narrow: [['search', word]] })),
    shows: hasMessage,
  },
  fetch: {
    ask: (caller, { message }) => caller.get(`/messages/${message}`),
    shows: (reply, { word }) => String(reply.raw_content).includes(word),
  },
  ids: { ask: fetched(({ message }) => ({ message_ids: [message] })), shows: hasMessage },
  match: {
    ask: (caller, place) =>
      caller.get('/messages/matches_narrow', {
        msg_ids: [place.message],
        narrow: inChannel(place),
      }),
    shows: (reply, { message }) => String(message) in ((reply.messages ?? {}) as object),
  },
  history: {
    ask: (caller, { message }) => caller.get(`/messages/${message}/history`),
    shows: (reply, { word }) => JSON.stringify(reply).includes(word),
  },
  react: {
    ask: (caller, { message }) =>
      caller.post(`/messages/${message}/reactions`, { emoji_name: 'tada' }),
    shows: succeeds,
  },
  pin: {
    ask: (caller, { message }) => caller.post(`/messages/${message}/pin`),
    // Whoever may not post is told so, and that the message is pinned by someone else.
    shows: ({ result, msg }) => result === 'success' || /pin/.test(msg),
  },
  star: {
    ask: (caller, { message }) =>
      caller.post('/messages/flags', { messages: [message], op: 'add', flag: 'starred' }),
    shows: succeeds,
  },
  hide: {
    ask: (caller, { message }) =>
      caller.patch(`/messages/${message}/link_previews`, { hidden: true }),
    // Whoever may read it is told that it is someone else's.
    shows: ({ msg }) => /author/.test(msg),
  },
  link: {
    ask: (caller, { channel }) =>
      caller.post('/messages/render', { content: `#**${channel?.name}**` }),
    shows: (reply) => String(reply.rendered).includes('data-stream-id'),
  },
  message: {
    ask: (caller, { channel, message, word }) =>
      caller.post('/messages/render', {
        content: `#**${channel?.name}>topic ${word}@${message}** #**${channel?.name}>topic ${word}**`,
      }),
    // A link to a topic names the newest message in it, if there is one to be read.
    shows: (reply, { message }) => String(reply.rendered).includes(`/with/${message}`),
  },
  topics: {
    ask: (caller, { channel }) => caller.get(`/users/me/${channel?.id}/topics`),
    shows: (reply, { word }) => JSON.stringify(reply).includes(`topic ${word}`),
  },
  channel: {
    ask: (caller, { channel }) => caller.get(`/streams/${channel?.id}`),
    shows: succeeds,
  },
  list: {
    ask: (caller) => caller.get('/streams', { include_all: true, exclude_archived: false }),
    shows: (reply, { channel }) => JSON.stringify(reply).includes(`"stream_id":${channel?.id},`),
  },
  members: {
    ask: (caller, { channel }) => caller.get(`/streams/${channel?.id}/members`),
    shows: succeeds,
  },
  register: {
    ask: (caller) => caller.post('/register', { fetch_event_types: ['stream'], ...told }),
    shows: (reply, { channel }) => JSON.stringify(reply).includes(`"stream_id":${channel?.id},`),
  },
  unread: {
    ask: (caller) =>
      caller.post('/register', { fetch_event_types: ['message', 'update_message_flags'], ...told }),
    shows: ({ unread_msgs }, { message }) => unreadIds(unread_msgs).includes(message),
  },
  join: {
    ask: (caller, { channel }) =>
      caller.post('/users/me/subscriptions', { subscriptions: [{ name: channel?.name }] }),
    shows: succeeds,
  },
} satisfies Record<string, Column>
const heardColumns = ['sent', 'reacted'] as const

/**
 * What becomes of a question: `+` it is answered; `-` the answer is the one about what never was;
 * `o` it is known to be there, but empty; `x` it is known to be there, but refused.
 */
async function outcome(
  { ask, shows }: Column,
  caller: Caller,
  place: Place,
): Promise<'+' | '-' | 'o' | 'x'> {
  const reply = await ask(caller, place)
  if (shows(reply, place)) return '+'
  // Whoever could create a channel learns that the name is taken, whoever has it.
  if (reply.msg === `Unable to access channel (${place.channel?.name}).`) return 'x'
  // Not asked of a name that is free: that would create a channel.
  if (reply.msg === `Channel '${place.channel?.name}' is archived.`) return 'x'
  const never = await ask(caller, place.channel ? phantom : { ...phantom, channel: undefined })
  const same = JSON.stringify(bare(reply)) === JSON.stringify(bare(never))
  if (same || whole(reply, place) === whole(never, phantom)) return '-'
  return reply.result === 'success' ? 'o' : 'x'
}

function bare(reply: Reply): unknown[] {
  const { queue_id: _, ...body } = reply
  return [reply.status, body]
}

/** An answer with its status, without the names that the question itself gave. */
function whole(reply: Reply, { channel, message, word }: Place): string {
  return JSON.stringify(bare(reply))
    .replaceAll(channel?.name ?? '\0', 'NAME')
    .replaceAll(word, 'WORD')
    .replaceAll(`@${message}`, '@ID')
}

const asked = Object.keys(columns) as (keyof typeof columns)[]

/*
  Each sign stands for a question, in this order:

  narrow, within   the messages of the channel or conversation; a search in it
  feed, search     the combined feed; a search in all of one's own history
  fetch, ids       the message by its id; in a list of ids
  match, history   whether it matches the narrow of its channel; its edits
  react, pin, star a reaction to it; a pin; a flag on it
  hide             hiding the previews of its links
  link, message    #**channel**; #**channel>topic@id** with the newest message of the topic
  topics, channel  the topics of the channel; the channel by its id
  list, members    the list of channels; who is subscribed
  register, unread whether the registered state has the channel; the message as unread
  join             subscribing to the channel
  sent, reacted    an event when it was sent; an event when somebody reacted to it

  A space marks what cannot be asked. Those subscribed to `protected` came after the first message.
*/
// biome-ignore format: a matrix reads best in columns
const table: Record<PlaceName, Record<Actor, string>> = {
  //            nw fs fi mh rpsh lm tc lm ru j sr
  public: {
    owner:        '++ -- ++ ++ ++++ ++ ++ ++ +- + -+',
    admin:        '++ -- ++ ++ ++++ ++ ++ ++ +- + -+',
    moderator:    '++ -- ++ ++ ++++ ++ ++ ++ +- + -+',
    subscriber:   '++ ++ ++ ++ ++++ ++ ++ ++ ++ + ++',
    stranger:     '++ -- ++ ++ ++++ ++ ++ ++ +- + -+',
    guest:        '++ ++ ++ ++ ++++ ++ ++ ++ ++ + ++',
    strangeGuest: '-- -- -- -- ---- -- -- -- -- - --',
    bot:          '++ -- ++ ++ ++++ ++ ++ ++ +- + -+',
    deactivated:  '-- -- -- -- ---- -- -- -- -- - ++',
    nobody:       '-- -- -- -- ---- -- -- -- -- - --',
  },
  webPublic: {
    owner:        '++ -- ++ ++ ++++ ++ ++ ++ +- + -+',
    admin:        '++ -- ++ ++ ++++ ++ ++ ++ +- + -+',
    moderator:    '++ -- ++ ++ ++++ ++ ++ ++ +- + -+',
    subscriber:   '++ ++ ++ ++ ++++ ++ ++ ++ ++ + ++',
    stranger:     '++ -- ++ ++ ++++ ++ ++ ++ +- + -+',
    guest:        '++ ++ ++ ++ ++++ ++ ++ ++ ++ + ++',
    strangeGuest: '++ -- ++ ++ ++++ ++ ++ ++ +- + -+',
    bot:          '++ -- ++ ++ ++++ ++ ++ ++ +- + -+',
    deactivated:  '-- -- -- -- ---- -- -- -- -- - ++',
    nobody:       '-- -- -- -- ---- -- -- -- -- - --',
  },
  shared: {
    owner:        'oo -- -- o- ---- +o -+ ++ +- x --',
    admin:        'oo -- -- o- ---- +o -+ ++ +- x --',
    moderator:    '-- -- -- -- ---- -- -- -- -- x --',
    subscriber:   '++ ++ ++ ++ ++++ ++ ++ ++ ++ + ++',
    stranger:     '-- -- -- -- ---- -- -- -- -- x --',
    guest:        '++ ++ ++ ++ ++++ ++ ++ ++ ++ + ++',
    strangeGuest: '-- -- -- -- ---- -- -- -- -- - --',
    bot:          '-- -- -- -- ---- -- -- -- -- x --',
    deactivated:  '-- -- -- -- ---- -- -- -- -- - ++',
    nobody:       '-- -- -- -- ---- -- -- -- -- - --',
  },
  protectedBefore: {
    owner:        'oo -- -- o- ---- +o -+ ++ +- x --',
    admin:        'oo -- -- o- ---- +o -+ ++ +- x --',
    moderator:    '-- -- -- -- ---- -- -- -- -- x --',
    subscriber:   'oo -- -- o- ---- +o o+ ++ +- + --',
    stranger:     '-- -- -- -- ---- -- -- -- -- x --',
    guest:        'oo -- -- o- ---- +o o+ ++ +- + --',
    strangeGuest: '-- -- -- -- ---- -- -- -- -- - --',
    bot:          '-- -- -- -- ---- -- -- -- -- x --',
    deactivated:  '-- -- -- -- ---- -- -- -- -- - --',
    nobody:       '-- -- -- -- ---- -- -- -- -- - --',
  },
  protectedAfter: {
    owner:        'oo -- -- o- ---- +o -+ ++ +- x --',
    admin:        'oo -- -- o- ---- +o -+ ++ +- x --',
    moderator:    '-- -- -- -- ---- -- -- -- -- x --',
    subscriber:   '++ ++ ++ ++ ++++ ++ ++ ++ ++ + ++',
    stranger:     '-- -- -- -- ---- -- -- -- -- x --',
    guest:        '++ ++ ++ ++ ++++ ++ ++ ++ ++ + ++',
    strangeGuest: '-- -- -- -- ---- -- -- -- -- - --',
    bot:          '-- -- -- -- ---- -- -- -- -- x --',
    deactivated:  '-- -- -- -- ---- -- -- -- -- - ++',
    nobody:       '-- -- -- -- ---- -- -- -- -- - --',
  },
  archived: {
    owner:        '++ -- ++ ++ ++++ ++ ++ ++ +- + -+',
    admin:        '++ -- ++ ++ ++++ ++ ++ ++ +- + -+',
    moderator:    '++ -- ++ ++ ++++ ++ ++ ++ +- x -+',
    subscriber:   '++ ++ ++ ++ ++++ ++ ++ ++ +- x ++',
    stranger:     '++ -- ++ ++ ++++ ++ ++ ++ +- x -+',
    guest:        '++ ++ ++ ++ ++++ ++ ++ ++ +- x ++',
    strangeGuest: '-- -- -- -- ---- -- -- -- -- - --',
    bot:          '++ -- ++ ++ ++++ ++ ++ ++ +- x -+',
    deactivated:  '-- -- -- -- ---- -- -- -- -- - ++',
    nobody:       '-- -- -- -- ---- -- -- -- -- - --',
  },
  archivedSecret: {
    owner:        'oo -- -- o- ---- +o -+ ++ +- x --',
    admin:        'oo -- -- o- ---- +o -+ ++ +- x --',
    moderator:    '-- -- -- -- ---- -- -- -- -- x --',
    subscriber:   '++ ++ ++ ++ ++++ ++ ++ ++ +- x ++',
    stranger:     '-- -- -- -- ---- -- -- -- -- x --',
    guest:        '++ ++ ++ ++ ++++ ++ ++ ++ +- x ++',
    strangeGuest: '-- -- -- -- ---- -- -- -- -- - --',
    bot:          '-- -- -- -- ---- -- -- -- -- x --',
    deactivated:  '-- -- -- -- ---- -- -- -- -- - ++',
    nobody:       '-- -- -- -- ---- -- -- -- -- - --',
  },
  direct: {
    owner:        '-- -- -- -- ---          -   --',
    admin:        '-- -- -- -- ---          -   --',
    moderator:    '-- -- -- -- ---          -   --',
    subscriber:   '++ ++ ++ ++ +++          +   ++',
    stranger:     '-- -- -- -- ---          -   --',
    guest:        '++ ++ ++ ++ +++          +   ++',
    strangeGuest: '-- -- -- -- ---          -   --',
    bot:          '-- -- -- -- ---          -   --',
    deactivated:  '-- -- -- -- ---          -   ++',
    nobody:       '-- -- -- -- ---          -   --',
  },
}

/** Columns that a direct message has. */
const ofDirects: readonly string[] = [
  ...[
    'narrow',
    'within',
    'feed',
    'search',
    'fetch',
    'ids',
    'match',
    'history',
    'react',
    'star',
    'hide',
  ],
  'unread',
]

for (const [placeName, rows] of Object.entries(table) as [PlaceName, Record<Actor, string>][]) {
  const place: Place = places[placeName]
  describe(`a message in ${placeName}`, () => {
    for (const [actor, row] of Object.entries(rows) as [Actor, string][]) {
      test(`for ${actor}`, async () => {
        const expected = row.replaceAll(' ', '').split('')
        const names = asked.filter((name) => place.channel || ofDirects.includes(name))
        const found: Record<string, string> = {}
        for (const name of names) found[name] = await outcome(columns[name], actors[actor], place)
        const told = heard.get(actor)
        found.sent = told?.message.has(place.message) ? '+' : '-'
        found.reacted = told?.reaction.has(place.message) ? '+' : '-'
        const all = [...names, ...heardColumns]
        assert.equal(expected.length, all.length)
        assert.deepEqual(found, Object.fromEntries(all.map((name, i) => [name, expected[i]])))
      })
    }
  })
}
