import { pathological } from '#test/bench/pathological.ts'
import { type Attack, type Attacker, flood } from './attack.ts'
import { reading, sending } from './client.ts'
import { makeBot } from './storage.attacks.ts'

/** The longest that a message may be, in characters. */
const longest = 10_000

const filled = (text: string) => text.repeat(Math.ceil(longest / text.length)).slice(0, longest)

const message = ({ world }: Attacker, content: string, topic = 'attack') =>
  sending('POST', '/messages', { type: 'channel', to: world.busyChannel, topic, content })

async function send(attacker: Attacker, content: string, topic?: string): Promise<number> {
  return (await attacker.ask<{ id: number }>(message(attacker, content, topic))).id
}

/** As many words as a message holds, all others in each round. */
const words = (round: number) =>
  filled(Array.from({ length: 3000 }, (_, i) => `${(i + round * 7919) % 4096}`).join(' '))

/** Codes of emoji that anyone may react with, by name. */
const emojiNames = [
  ...['tada', 'heart', 'octopus', 'smile', 'rocket', 'fire', 'eyes', 'clap', 'wave', 'check'],
  ...['cat', 'dog', 'apple', 'banana', 'car', 'bus', 'sun', 'moon', 'star', 'tree', 'cake', 'egg'],
]

const link = 'https://example.com/x'
const commit = {
  id: '1'.repeat(40),
  message: 'x',
  url: link,
  author: { name: 'a', email: 'a@b.co' },
}
/** What GitHub sends, as far as it is looked at. */
const pushed = {
  ...{ ref: 'refs/heads/main', before: '2'.repeat(40), after: '1'.repeat(40), compare: link },
  ...{ created: false, deleted: false, forced: false, head_commit: commit },
  repository: { id: 1, name: 'site', full_name: 'acme/site', html_url: link, private: true },
  sender: { login: 'octocat', id: 5, html_url: link, type: 'User' },
  pusher: { name: 'octocat', email: null },
}

/** Messages that cost much to make, to keep, to change or to read. */
export const messageAttacks: readonly Attack[] = [
  {
    name: 'edits: 300 of a message of 10 KB, and its channel',
    async run(attacker) {
      const id = await send(attacker, words(0))
      const fetch = reading('/messages', { anchor: id, num_before: 0, num_after: 0 })
      await attacker.flood((i) =>
        i < 300 ? sending('PATCH', `/messages/${id}`, { content: words(i + 1) }) : fetch,
      )
    },
  },
  {
    name: 'history: thousands of changed words',
    async run(attacker) {
      const id = await send(attacker, words(0))
      for (let i = 1; i <= 5; i++) {
        await attacker.ask(sending('PATCH', `/messages/${id}`, { content: words(i) }))
      }
      await attacker.flood(() => reading(`/messages/${id}/history`))
    },
  },
  flood(
    'edits: a topic of 1 000 messages, moved to and fro',
    ({ world }) =>
      (i) =>
        sending('PATCH', `/messages/${world.longTopicMessage}`, {
          topic: `moving ${i % 7}`,
          propagate_mode: 'change_all',
          send_notification_to_old_thread: true,
          send_notification_to_new_thread: true,
        }),
    { as: 'admin' },
  ),
  flood(
    'messages: of 10 KB of formulas',
    (attacker) => () => message(attacker, filled('$$\\sqrt{\\frac{a}{b}}$$ ')),
  ),
  flood(
    'messages: of 10 KB of linkifiers',
    (attacker) => (i) => message(attacker, filled(`#${i % 10} `)),
  ),
  flood(
    'messages: of 10 KB of mentions',
    (attacker) => (i) => message(attacker, filled(`@**Person ${i % 100}** @_**Person 7** `)),
  ),
  flood(
    'messages: of 10 KB of links and addresses',
    (attacker) => (i) => message(attacker, filled(`https://example.com/${i}.png a.co `)),
  ),
  flood('messages: of code in strange languages', (attacker) => {
    const languages = ['javascript', 'cpp', 'markdown', 'perl', 'haskell', 'xml', 'sql', 'swift']
    return (i) => {
      const source = filled('/*"\'`<a ${{[(\\')
      const fence = `\`\`\`${languages[i % languages.length]}\n`
      return message(attacker, `${fence}${source.slice(0, 9900)}\n\`\`\``)
    }
  }),
  flood(
    'messages: to everybody at once',
    ({ world }) =>
      (i) =>
        sending('POST', '/messages', { type: 'direct', to: world.userIds, content: `Hello ${i}` }),
  ),
  flood('rendering: what makes renderers slow', () => (i) => {
    const text = pathological[i % pathological.length] ?? ''
    return sending('POST', '/messages/render', { content: filled(text).toWellFormed() })
  }),
  flood('polls: votes on one that has 9 000, which is fetched', ({ world }) => (i) => {
    const message_id = world.poll
    if (i % 2 === 0) {
      return reading('/messages', { anchor: message_id, num_before: 0, num_after: 0 })
    }
    const content = JSON.stringify({ type: 'vote', key: 'canned,1', vote: i % 4 === 1 ? 1 : -1 })
    return sending('POST', '/submessage', { message_id, msg_type: 'widget', content })
  }),
  {
    name: 'reactions: put and taken away',
    async run(attacker) {
      const id = await send(attacker, 'React!')
      await attacker.flood((i) => {
        const emoji_name = emojiNames[(i >> 1) % emojiNames.length]
        const method = i % 2 === 0 ? 'POST' : 'DELETE'
        return sending(method, `/messages/${id}/reactions`, { emoji_name })
      })
    },
  },
  flood('webhooks: payloads of 1 MB', async (attacker) => {
    const bot = await makeBot(attacker, 2)
    const body = JSON.stringify({ ...pushed, commits: Array(7000).fill(commit) })
    return () => ({
      method: 'POST',
      path: `/api/v1/external/github?api_key=${bot.apiKey}&stream=busy&topic=x`,
      headers: { 'content-type': 'application/json', 'x-github-event': 'push' },
      body,
      as: null,
    })
  }),
  flood('webhooks: 250 KB of JSON shown as a message', async (attacker) => {
    const bot = await makeBot(attacker, 2)
    const body = `{"a":[${'{},'.repeat(80_000)}1]}`
    return () => ({
      method: 'POST',
      path: `/api/v1/external/json?api_key=${bot.apiKey}&stream=busy&topic=x`,
      headers: { 'content-type': 'application/json' },
      body,
      as: null,
    })
  }),
]
