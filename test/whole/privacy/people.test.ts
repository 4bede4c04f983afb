import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type CallParams, type Reply, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const owner = server.as('owner')
const actors = {
  owner,
  member: await server.enroll('Any Member'),
  guest: await server.enroll('Lonely Guest', 600),
}
type Actor = keyof typeof actors

interface Target {
  readonly id: number
  readonly name: string
  readonly email: string
}

async function target(name: string): Promise<Target> {
  const { id, email } = await server.enroll(name)
  return { id, name, email }
}

const near = await target('Close Colleague')
const written = await target('Pen Pal')
const far = await target('Total Stranger')
const gone = await target('Long Gone')
const phantom: Target = { id: 987_654, name: 'Nobody Atall', email: 'nobody-atall@example.com' }

async function ok<T extends object>(reply: Promise<Reply<T>>): Promise<Reply<T>> {
  const settled = await reply
  assert.equal(settled.result, 'success', settled.msg)
  return settled
}

const { id: channelId } = await ok(
  owner.post<{ id: number }>('/channels/create', {
    name: 'neighbours',
    subscribers: [actors.guest.id, near.id],
  }),
)
await ok(
  actors.guest.post('/messages', { type: 'direct', to: [written.id], content: 'Dear friend.' }),
)
const { id: groupId } = await ok(
  owner.post<{ group_id: number; id: number }>('/user_groups/create', {
    name: 'crew',
    description: '',
    members: [near.id, far.id],
  }),
).then(({ group_id }) => ({ id: group_id }))
await ok(owner.del(`/users/${gone.id}`))
await ok(
  owner.patch('/realm', { can_access_all_users_group: { new: systemGroup('role:members') } }),
)

function systemGroup(name: string): number {
  const index = ['nobody', 'owners', 'administrators', 'moderators', 'fullmembers', 'members']
  return index.indexOf(name.slice('role:'.length)) + 1
}

type Ask = (caller: (typeof actors)[Actor], other: Target) => Promise<Reply>
interface Column {
  readonly ask: Ask
  /** Whether the answer shows that the person exists. */
  readonly shows: (reply: Reply, other: Target) => boolean
}

const succeeds = ({ result }: Reply) => result === 'success'
const mentions = (reply: Reply) => String(reply.rendered).includes('user-mention')
const rendered =
  (content: (other: Target) => string): Ask =>
  (caller, other) =>
    caller.post('/messages/render', { content: content(other) })
const narrowed =
  (operator: string): Ask =>
  (caller, { id }) =>
    caller.get('/messages', {
      ...{ anchor: 'newest', num_before: 5, num_after: 0 },
      narrow: [{ operator, operand: id }],
    })
const got =
  (path: (other: Target) => string, params: (other: Target) => CallParams = () => ({})): Ask =>
  (caller, other) =>
    caller.get(path(other), params(other))
const names = (reply: Reply, { name }: Target) => JSON.stringify(reply).includes(name)

const columns = {
  get: { ask: got(({ id }) => `/users/${id}`), shows: succeeds },
  email: { ask: got(({ email }) => `/users/${email}`), shows: names },
  status: { ask: got(({ id }) => `/users/${id}/status`), shows: succeeds },
  presence: {
    ask: got(({ id }) => `/users/${id}/presence`),
    shows: ({ msg }) => msg.startsWith('No presence data'),
  },
  channels: { ask: got(({ id }) => `/users/${id}/channels`), shows: succeeds },
  subscribed: { ask: got(({ id }) => `/users/${id}/subscriptions/${channelId}`), shows: succeeds },
  byName: { ask: rendered(({ name }) => `@**${name}**`), shows: mentions },
  byId: { ask: rendered(({ id }) => `@**|${id}**`), shows: mentions },
  silent: { ask: rendered(({ name, id }) => `@_**${name}|${id}**`), shows: mentions },
  dm: { ask: narrowed('dm'), shows: succeeds },
  sender: { ask: narrowed('sender'), shows: succeeds },
  mute: { ask: (caller, { id }) => caller.post(`/users/me/muted_users/${id}`), shows: succeeds },
  users: { ask: got(() => '/users'), shows: names },
  register: {
    ask: (caller) => caller.post('/register', { fetch_event_types: ['realm_user'] }),
    shows: names,
  },
  typing: {
    ask: (caller, { id }) => caller.post('/typing', { op: 'start', to: [id] }),
    shows: succeeds,
  },
  write: {
    ask: (caller, { id }) =>
      caller.post('/messages', { type: 'direct', to: [id], content: 'Are you there?' }),
    shows: succeeds,
  },
} satisfies Record<string, Column>
const asked = Object.keys(columns) as (keyof typeof columns)[]

/** `+` the answer shows that the person exists; `-` it is the one about nobody; else `x`. */
async function outcome({ ask, shows }: Column, actor: Actor, other: Target): Promise<string> {
  const reply = await ask(actors[actor], other)
  if (shows(reply, other)) return '+'
  const never = await ask(actors[actor], phantom)
  const same = bare(reply) === bare(never) || whole(reply, other) === whole(never, phantom)
  return same ? '-' : 'x'
}

function bare(reply: Reply): string {
  const { queue_id: _, ...body } = reply
  return `${reply.status} ${JSON.stringify(body)}`
}

/** An answer without what the question itself named. */
function whole(reply: Reply, { id, name, email }: Target): string {
  return bare(reply)
    .replaceAll(email, 'EMAIL')
    .replaceAll(name, 'NAME')
    .replaceAll(new RegExp(`\\b${id}\\b`, 'g'), 'ID')
}

/*
  Where guests know only those they meet. In this order: the user, by address, status, presence,
  channels, a subscription; mentions by name, by id and silently; the narrows `dm` and `sender`;
  muting; the lists of users, registered and not; typing to them and, last, writing to them.
*/
// biome-ignore format: a matrix reads best in columns
const table: [Target, Record<Actor, string>][] = [
  //                          ge spcs bis ds m ur tw
  [near,    { owner:  '++ ++++ +++ ++ + ++ ++', member: '+- ++++ +++ ++ + ++ ++', guest: '+- ++++ +++ ++ + ++ ++' }],
  [written, { owner:  '++ ++++ +++ ++ + ++ ++', member: '+- ++++ +++ ++ + ++ ++', guest: '+- ++++ +++ ++ + ++ ++' }],
  [far,     { owner:  '++ ++++ +++ ++ + ++ ++', member: '+- ++++ +++ ++ + ++ ++', guest: '-- ---- --- -- - -- --' }],
  [gone,    { owner:  '++ ++++ +++ ++ + ++ -x', member: '+- ++++ +++ ++ + ++ -x', guest: '-- ---- --- -- - -- --' }],
]

for (const [other, rows] of table) {
  describe(`what is visible of ${other.name}`, () => {
    for (const [actor, row] of Object.entries(rows) as [Actor, string][]) {
      test(`to the ${actor}`, async () => {
        const expected = row.replaceAll(' ', '').split('')
        assert.equal(expected.length, asked.length)
        const found: Record<string, string> = {}
        for (const name of asked) found[name] = await outcome(columns[name], actor, other)
        assert.deepEqual(found, Object.fromEntries(asked.map((name, i) => [name, expected[i]])))
      })
    }
  })
}

test('a group mention is a mention also for guests who can see only some of its members', async () => {
  const { rendered: html } = await ok(actors.guest.post('/messages/render', { content: '@*crew*' }))
  assert.match(String(html), new RegExp(`data-user-group-id="${groupId}"`))
})
