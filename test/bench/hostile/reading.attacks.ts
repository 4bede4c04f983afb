import { type Attack, flood, repeated } from './attack.ts'
import { reading, sending } from './client.ts'
import { commonWord } from './world.ts'

const term = (operator: string, operand: unknown, negated = false) => ({
  ...{ operator, operand, negated },
})

const page = (narrow: readonly object[], count = 1000) =>
  reading('/messages', { anchor: 'newest', num_before: count, num_after: 0, narrow })

/** Whatever reads as much as may be read at once. */
export const readingAttacks: readonly Attack[] = [
  repeated('search: a common word', () => page([term('search', commonWord)], 5000)),
  repeated('search: without a common word', () => page([term('search', commonWord, true)], 5000)),
  repeated('search: many terms at once', () =>
    page(
      Array.from({ length: 10 }, (_, i) => term('search', `"the ${commonWord}" b${i}`, i % 2 > 0)),
      100,
    ),
  ),
  repeated('messages: 5 000 at once', () => page([], 5000)),
  repeated('messages: the longest that there are, all at once', ({ longChannel }) =>
    page([term('channel', longChannel)], 5000),
  ),
  flood(
    'messages: marking everything as read and unread',
    () => (i) =>
      sending('POST', '/messages/flags/narrow', {
        ...{ anchor: 'newest', num_before: 5000, num_after: 0, narrow: [] },
        ...{ op: i % 2 ? 'add' : 'remove', flag: 'read' },
      }),
  ),
  repeated('users: everybody', () => reading('/users', { include_custom_profile_fields: true })),
  repeated(
    'messages: what a guest may see, 5 000 at once',
    ({ busyChannel }) => page([term('channel', busyChannel), term('is', 'unread')], 5000),
    { as: 'guest' },
  ),
]
