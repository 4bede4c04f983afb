import { type Attack, flood, repeated } from './attack.ts'
import { type Call, sending } from './client.ts'

/** `count` times the same JSON in a list, without a value for each in this process. */
const listOf = (json: string, count: number) => `[${`${json},`.repeat(count - 1)}${json}]`

/** As long as a form may be, in bytes. */
const longestForm = 1_000_000

/** The same JSON as often in a list as a form takes. */
const longList = (json: string) => listOf(json, Math.floor(longestForm / (json.length + 1)))

/** Requests that are as large as may be, of very many very small things. */
export const listAttacks: readonly Attack[] = [
  repeated('drafts: a megabyte of {} in one list', () =>
    sending('POST', '/drafts', `drafts=${longList('{}')}`),
  ),
  repeated('subscriptions: a megabyte of empty names', () =>
    sending('POST', '/users/me/subscriptions', `subscriptions=${longList('""')}`),
  ),
  flood(
    'subscriptions: everybody to 40 channels, and away again',
    ({ world }) =>
      (i) => {
        const names = Array.from({ length: 40 }, (_, n) => `shared ${n}`)
        const principals = world.userIds.slice(0, 100)
        return i % 2 === 0
          ? sending('POST', '/users/me/subscriptions', {
              subscriptions: names.map((name) => ({ name })),
              principals,
            })
          : sending('DELETE', '/users/me/subscriptions', { subscriptions: names, principals })
      },
    { as: 'admin' },
  ),
  repeated('flags: 400 KB of the same message', () =>
    sending('POST', '/messages/flags', `op=add&flag=starred&messages=${listOf('1', 200_000)}`),
  ),
  flood('flags: 5 000 messages', () => {
    const messages = Array.from({ length: 5000 }, (_, i) => i + 1)
    const [add, remove] = (['add', 'remove'] as const).map((op) =>
      sending('POST', '/messages/flags', { op, flag: 'starred', messages }),
    )
    return (i) => (i % 2 === 0 ? add : remove) as Call
  }),
  repeated('deep JSON: a million brackets', () =>
    sending('POST', '/drafts', `drafts=${'['.repeat(500_000)}${']'.repeat(500_000)}`),
  ),
  repeated('deep JSON: 110 000 objects in one another', () =>
    sending('POST', '/register', `narrow=[${'{"a":'.repeat(110_000)}1${'}'.repeat(110_000)}]`),
  ),
  repeated('a form of 490 unknown names, each of 190 letters', () =>
    sending(
      'POST',
      '/typing',
      `op=start&to=[9]&${Array.from({ length: 490 }, (_, i) => `${i}${'x'.repeat(190)}=1`).join('&')}`,
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
  flood(
    'channels: 50 new ones in each request',
    () => (i) => {
      const subscriptions = Array.from({ length: 50 }, (_, n) => ({
        name: `channel ${i} ${n} ${'x'.repeat(30)}`,
        description: 'x'.repeat(1000),
      }))
      return sending('POST', '/users/me/subscriptions', { subscriptions })
    },
    { as: 'admin' },
  ),
]
