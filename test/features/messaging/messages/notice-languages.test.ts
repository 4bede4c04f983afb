import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startServer } from '#test/support/server.ts'

const server = await startServer({ channelNotices: true })
after(server.close)
const owner = server.as('owner')
await owner.patch('/realm', { default_language: 'de' })

interface Said {
  readonly subject: string
  readonly content: string
}

async function newest(narrow: unknown[], reader = owner): Promise<Said | undefined> {
  const page = { narrow, anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false }
  const { messages } = await reader.get<{ messages: Said[] }>('/messages', page)
  return messages.at(-1)
}

test("Notification Bot tells everyone in the organization's language", async () => {
  await owner.patch(`/streams/${server.channels.public}`, { description: 'Für alle.' })
  const notice = await newest([['channel', server.channels.public]])
  assert.equal(notice?.subject, 'Kanalereignisse')
  assert.match(
    notice?.content ?? '',
    /^@_\*\*Desdemona\|9\*\* hat die Beschreibung .*Vorher:.*Jetzt:/s,
  )
})

test('how many messages were moved is counted by the rules of the language', async () => {
  const ids = [
    await server.say('owner', 'public', 'viel'),
    await server.say('owner', 'public', 'viel'),
    await server.say('owner', 'public', 'viel'),
  ]
  await owner.patch(`/messages/${ids[1]}`, {
    topic: 'weniger',
    propagate_mode: 'change_later',
    send_notification_to_new_thread: true,
  })
  const notice = await newest([
    ['channel', server.channels.public],
    ['topic', 'weniger'],
  ])
  assert.equal(
    notice?.content,
    '@_**Desdemona|9** hat 2 Nachrichten aus #**Denmark>viel** hierher verschoben.',
  )
})

test('Notification Bot tells one person in the language that they chose', async () => {
  const reader = server.as('prospero')
  await reader.patch('/settings', { default_language: 'ja' })
  await owner.post('/users/me/subscriptions', {
    subscriptions: [{ name: 'Rome' }],
    principals: [reader.id],
  })
  const notice = await newest([['is', 'dm']], reader)
  assert.equal(
    notice?.content,
    '@_**Desdemona|9** があなたをチャンネル #**Rome** に参加させました。',
  )
})
