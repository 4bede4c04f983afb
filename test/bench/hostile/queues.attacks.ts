import { type Attack, type Attacker, flood } from './attack.ts'
import { sending } from './client.ts'

const formulas = '$$\\frac{a}{b}$$ '.repeat(600)

const toBusy = ({ world }: Attacker, content: string) =>
  sending('POST', '/messages', { type: 'channel', to: world.busyChannel, topic: 'x', content })

/** Registers for messages alone, which costs the least. */
const registering = (params: Readonly<Record<string, unknown>> = {}) =>
  sending('POST', '/register', { event_types: ['message'], fetch_event_types: [], ...params })

const term = (operator: string, operand: unknown, negated = false) => ({
  ...{ operator, operand, negated },
})

/** Words that no message has, so that each must be looked for. */
const manyWords = (count: number) =>
  Array.from({ length: count }, (_, i) => `q${i.toString(36).padStart(4, '0')}`).join(' ')

/** A hundred queues with a narrow, and messages that each of them is asked about. */
const watching = (name: string, narrow: readonly object[]): Attack => ({
  name,
  async run(attacker) {
    const call = registering({ narrow, queue_lifespan_secs: 604_800 })
    for (let i = 0; i < 100 && !attacker.isOver(); i++) await attacker.ask(call)
    await attacker.flood((i) => toBusy(attacker, 'nothing at all '.repeat(600) + i))
  },
})

/** Event queues: what they hold, and what they make every message cost. */
export const queueAttacks: readonly Attack[] = [
  watching('queues: 100 with negated searches, and messages', [
    term('search', manyWords(7), true),
    term('search', manyWords(7), true),
    term('search', `"nothing at" "at all" ${manyWords(2)}`, true),
  ]),
  watching(
    'queues: 100 with narrows of 10 kB, and messages',
    Array.from({ length: 20 }, (_, i) => term('topic', `${'t'.repeat(40)} ${i}`, true)),
  ),
  flood('queues: thousands', () => () => registering({ queue_lifespan_secs: 604_800 })),
  flood(
    'queues: thousands with the whole state',
    () => () => sending('POST', '/register', { queue_lifespan_secs: 604_800 }),
  ),
  {
    name: 'queues: one unread, of formula messages',
    async run(attacker) {
      await attacker.ask(registering({ apply_markdown: true, queue_lifespan_secs: 604_800 }))
      await attacker.flood(() => toBusy(attacker, formulas))
    },
  },
  {
    name: 'queues: a hundred unread, and typing',
    async run(attacker) {
      const all = { event_types: null, queue_lifespan_secs: 604_800 }
      for (let i = 0; i < 100 && !attacker.isOver(); i++) {
        await attacker.ask(sending('POST', '/register', { ...all, fetch_event_types: [] }))
      }
      const to = attacker.world.userIds
      await attacker.flood(() => sending('POST', '/typing', { op: 'start', type: 'direct', to }))
    },
  },
  flood(
    'status: a new one all the time',
    () => (i) =>
      sending('POST', '/users/me/status', {
        status_text: `${i}`.padEnd(60, 'x'),
        away: i % 2 === 0,
      }),
  ),
  flood(
    'settings: another name all the time',
    () => (i) => sending('PATCH', '/settings', { full_name: `Name ${i}` }),
  ),
]
