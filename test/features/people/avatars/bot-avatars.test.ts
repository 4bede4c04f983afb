import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { probe } from '#platform/pictures/probe.ts'
import { basicAuth, fetchFile } from '#test/support/files.ts'
import { pngPicture } from '#test/support/pictures.ts'
import { failure } from '#test/support/replies.ts'
import { type Actor, type Event, type Reply, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

interface Bot {
  code?: string
  user_id: number
  avatar_url: string
}

/** Sends a form with these files, each in a part of its own. */
async function send(
  actor: Actor,
  method: 'POST' | 'PATCH',
  path: string,
  fields: Record<string, string>,
  ...files: Uint8Array[]
): Promise<Reply<Bot>> {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  for (const [i, file] of files.entries()) {
    body.append(`file-${i}`, new File([new Uint8Array(file)], 'bot.png'))
  }
  const headers = basicAuth(server, actor)
  const response = await fetch(`${server.url}/api/v1${path}`, { method, headers, body })
  return (await response.json()) as Reply<Bot>
}

const about = (events: readonly Event[], type: string) =>
  events.filter((event) => event.type === type).map(({ op, bot, person }) => [op, bot ?? person])

async function widthOf(url: string): Promise<number> {
  const reply = await fetchFile(server, undefined, url)
  return probe(new Uint8Array(await reply.arrayBuffer())).width
}

test('a bot comes with its picture, and gets another', async () => {
  const queue = await server.as('admin').watch('realm_bot', 'realm_user')
  const fields = { full_name: 'Painted', short_name: 'painted' }
  const made = await send('member', 'POST', '/bots', fields, pngPicture(300, 200))
  assert.equal(made.result, 'success', made.msg)
  const [added, changed] = about(await queue.drain(), 'realm_bot')
  assert.equal(added?.[0], 'add')
  assert.deepEqual(changed, ['update', { user_id: made.user_id, avatar_url: made.avatar_url }])
  assert.equal(await widthOf(made.avatar_url), 100)

  const path = `/bots/${made.user_id}`
  const edited = await send('member', 'PATCH', path, { full_name: 'Repainted' }, pngPicture())
  assert.notEqual(edited.avatar_url, made.avatar_url)
  const events = about(await queue.drain(), 'realm_bot')
  assert.deepEqual(events, [
    ['update', { user_id: made.user_id, full_name: 'Repainted' }],
    ['update', { user_id: made.user_id, avatar_url: edited.avatar_url }],
  ])
  assert.equal(await widthOf(edited.avatar_url), 100)
})

test('without a file in the body there is none to change', async () => {
  const fields = { full_name: 'Plain', short_name: 'plain' }
  const made = await send('member', 'POST', '/bots', fields)
  const edited = await send('member', 'PATCH', `/bots/${made.user_id}`, { full_name: 'Plainer' })
  assert.deepEqual([edited.result, edited.avatar_url], ['success', made.avatar_url])
})

test('several files, and files that are no pictures, make no bot', async () => {
  const fields = { full_name: 'Torn', short_name: 'torn' }
  const two = await send('member', 'POST', '/bots', fields, pngPicture(), pngPicture())
  assert.deepEqual(two, failure('Exactly one file must be sent as the avatar.'))
  const text = await send('member', 'POST', '/bots', fields, Buffer.from('not a picture'))
  assert.equal(text.code, 'BAD_IMAGE')
  assert.equal((await send('member', 'POST', '/bots', fields)).result, 'success', 'not taken')
})

test('who may not change a bot has no picture looked at', async () => {
  const bad = Buffer.from('not a picture')
  const refused = failure('Insufficient permission')
  assert.deepEqual(await send('cordelia', 'PATCH', '/bots/17', {}, bad), refused)
  const fields = { full_name: 'Guest', short_name: 'guest' }
  assert.deepEqual(await send('guest', 'POST', '/bots', fields, bad), refused)
})
