import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { findUser, updateUser } from '#features/foundation/users/queries.ts'
import { openBrowser } from '#test/support/browser.ts'
import { startServer } from '#test/support/server.ts'
import { startMailServer } from '#test/support/smtp.ts'

const post = await startMailServer()
after(post.close)
const server = await startServer({ config: { smtpUrl: post.url } })
after(server.close)
const { store } = server.server.context
const { id, email } = server.as('member')

/** The texts of the mails that came to the member by now. */
async function mails(): Promise<string[]> {
  server.clock.advance(300_000)
  await server.settled()
  return post
    .take()
    .filter(({ to }) => to.includes(email))
    .map(({ text }) => text)
}

const mention = () => server.say('owner', 'public', 'plans', `What does @**|${id}** say?`)
const isAwaited = () => findUser(store, id)?.awaitsFirstLogin

test('someone imported can be mentioned and found, gets no notices, and joins by a mailed link', async () => {
  await store.write((tx) => updateUser(tx, id, { passwordHash: null, awaitsFirstLogin: true }))

  const owner = server.as('owner')
  const { members } = await owner.get<{ members: { user_id: number; is_active: boolean }[] }>(
    '/users',
  )
  assert.equal(members.find((each) => each.user_id === id)?.is_active, true)
  const first = await mention()
  const { message } = await owner.get<{ message: { content: string } }>(`/messages/${first}`)
  assert.match(message.content, new RegExp(`class="user-mention" data-user-id="${id}"`))
  assert.deepEqual(await mails(), [])

  const browser = openBrowser(server.url)
  await browser.fill('/accounts/password/reset/', { email })
  const [letter = ''] = await mails()
  const path = /\/accounts\/password\/reset\/\w+\//.exec(letter)?.[0] ?? ''
  assert.equal(isAwaited(), true)
  assert.equal((await browser.fill(path, { password: 'words of my own' })).status, 303)
  await browser.fill('/login/', { email, password: 'words of my own' })
  assert.equal(browser.cookies.has('sessionid'), true)
  assert.equal(isAwaited(), false)
  await mails()

  await mention()
  assert.match((await mails()).join('\n'), /What does .* say\?/)
})

test('a log-in in an app counts as joining as well', async () => {
  await store.write((tx) => updateUser(tx, id, { awaitsFirstLogin: true }))
  const reply = await fetch(`${server.url}/api/v1/fetch_api_key`, {
    method: 'POST',
    body: new URLSearchParams({ username: email, password: 'words of my own' }),
  })
  assert.equal(reply.status, 200)
  assert.equal(isAwaited(), false)
})
