import { type Attack, flood, repeated } from './attack.ts'
import { sending } from './client.ts'

/** `count` times the same JSON in a list, without a value for each in this process. */
const listOf = (json: string, count: number) => `[${`${json},`.repeat(count - 1)}${json}]`

/** Requests that are as large as may be, of very many very small things. */
export const listAttacks: readonly Attack[] = [
  repeated('drafts: 1.4 million {} in one list', () =>
    sending('POST', '/drafts', `drafts=${listOf('{}', 1_390_000)}`),
  ),
  repeated('subscriptions: a million empty names', () =>
    sending('POST', '/users/me/subscriptions', `subscriptions=${listOf('""', 1_000_000)}`),
  ),
  repeated('subscriptions: a hundred thousand principals', ({ quietChannel }) =>
    sending(
      'POST',
      '/users/me/subscriptions',
      `subscriptions=[{"name":"quiet ${quietChannel}"}]&principals=${listOf('12', 100_000)}`,
    ),
  ),
  repeated('flags: two million times the same message', () =>
    sending('POST', '/messages/flags', `op=add&flag=starred&messages=${listOf('1', 1_900_000)}`),
  ),
  repeated('flags: 5 000 messages', () =>
    sending('POST', '/messages/flags', {
      op: 'add',
      flag: 'starred',
      messages: Array.from({ length: 5000 }, (_, i) => i + 1),
    }),
  ),
  repeated('deep JSON: two million brackets', () =>
    sending('POST', '/drafts', `drafts=${'['.repeat(1_900_000)}${']'.repeat(1_900_000)}`),
  ),
  repeated('deep JSON: 400 000 objects in one another', () =>
    sending('POST', '/register', `narrow=[${'{"a":'.repeat(400_000)}1${'}'.repeat(400_000)}]`),
  ),
  repeated('a form of 400 000 unknown names', () =>
    sending(
      'POST',
      '/typing',
      `op=start&to=[9]&${Array.from({ length: 400_000 }, (_, i) => `x${i}=1`).join('&')}`,
    ),
  ),
  repeated('a form that is all escapes', () =>
    sending('POST', '/messages/render', `content=${'%f0%9f%91%8d'.repeat(5000)}`),
  ),
  flood('groups: everybody in each of thousands', ({ world }) => (i) => {
    const members = world.userIds
    return sending('POST', '/user_groups/create', {
      name: `group ${i} ${'x'.repeat(60)}`,
      description: 'x'.repeat(1000),
      members,
    })
  }),
  flood('channels: 1 000 new ones in each request', () => (i) => {
    const subscriptions = Array.from({ length: 1000 }, (_, n) => ({
      name: `channel ${i} ${n} ${'x'.repeat(30)}`,
      description: 'x'.repeat(900),
    }))
    return sending('POST', '/users/me/subscriptions', { subscriptions })
  }),
]
