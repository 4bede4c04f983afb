// `npm run screenshot` makes the picture in README.md: the web client in the development organization.
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openSite } from './browser-page.ts'
import type { Actor, Channel } from './server.ts'

const file = fileURLToPath(new URL('../../.readme/web-client.png', import.meta.url))

const topic = 'opening night'
const conversation: readonly (readonly [Actor, string])[] = [
  ['owner', 'Four days to go. Is there anything that keeps us from opening on **Friday**?'],
  ['othello', 'The balcony creaks whenever somebody steps on it. I told @**Iago** twice.'],
  [
    'admin',
    'Fixed this morning. It was the third plank:\n\n```python\nfor plank in balcony.planks:\n    if plank.creaks():\n        plank.replace(with_=oak)\n```',
  ],
  ['cordelia', 'Thank you! And the light in act two is far better now, I can see my own hands.'],
  [
    'prospero',
    '/poll When is the dress rehearsal?\nWednesday, 18:00\nThursday, 10:00\nThursday, 18:00',
  ],
  ['zoe', 'The programmes are printed.'],
  [
    'owner',
    "@**King Hamlet** could you go through your monologue with @**Cordelia, Lear's daughter** once more? The pause after “to sleep” was *perfect* yesterday.",
  ],
]
const reactions: readonly (readonly [at: number, emoji: string, people: readonly Actor[]])[] = [
  [2, 'heart', ['owner', 'othello', 'cordelia', 'zoe']],
  [2, 'sunny', ['prospero']],
  [3, 'check_mark', ['admin', 'owner']],
  [5, 'coffee', ['othello']],
]
const elsewhere: readonly (readonly [Actor, Channel, topic: string, content: string])[] = [
  ['cordelia', 'shared', 'swans', 'There are seven of them now.'],
  ['othello', 'shared', 'swans', 'Eight.'],
  ['zoe', 'public', 'ghosts', 'It walks again at midnight.'],
  ['prospero', 'public', 'weather', 'I can do something about the storm.'],
  ['owner', 'private', 'budget', '@**King Hamlet** have a look at the numbers.'],
]

const site = await openSite()
try {
  const { server } = site
  await server.as('owner').patch('/realm', { name: 'The Globe' })
  // Of the names, this one needs a font that few machines have.
  await server.as('owner').patch(`/users/${server.ids.moderator}`, { full_name: 'Shiva' })
  const ids: number[] = []
  for (const [actor, content] of conversation)
    ids.push(await server.say(actor, 'shared', topic, content))
  const poll = ids[4] ?? 0
  for (const [actor, option] of [
    ['owner', 0],
    ['zoe', 2],
    ['cordelia', 2],
    ['othello', 2],
    ['admin', 0],
  ] as const) {
    const vote = { type: 'vote', key: `canned,${option}`, vote: 1 }
    await server
      .as(actor)
      .post('/submessage', { message_id: poll, msg_type: 'widget', content: JSON.stringify(vote) })
  }
  for (const [at, emoji_name, people] of reactions) {
    for (const actor of people)
      await server.as(actor).post(`/messages/${ids[at]}/reactions`, { emoji_name })
  }
  await server.as('member').post('/mark_all_as_read')
  for (const [actor, channel, name, content] of elsewhere)
    await server.say(actor, channel, name, content)
  await server.say('cordelia', ['member'], '', 'Shall we rehearse at four?')
  for (const actor of ['owner', 'cordelia', 'othello'] as const) {
    await server.as(actor).post('/users/me/presence', { status: 'active' })
  }
  await server
    .as('zoe')
    .post('/users/me/status', { status_text: 'At the printer', emoji_name: 'coffee' })

  const { page } = await site.logIn('member', {
    hash: `#narrow/channel/3-Verona/topic/${encodeURIComponent(topic).replaceAll('%', '.')}`,
    context: { viewport: { width: 1280, height: 900 }, colorScheme: 'light', locale: 'en-GB' },
  })
  await page.getByRole('button', { name: 'Not now' }).click()
  await page.getByRole('textbox', { name: 'Message' }).fill('Gladly. At four, on the ramparts?')
  await server.as('cordelia').post('/typing', { op: 'start', type: 'channel', stream_id: 3, topic })
  await page.getByText(/is typing/).waitFor()
  mkdirSync(dirname(file), { recursive: true })
  // Nothing is under the pointer.
  await page.mouse.move(1275, 890)
  await page.screenshot({ path: file, animations: 'disabled' })
  await page.context().close()
} finally {
  await site.close()
}
