import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { keptAuthorization } from '#test/support/assistants.ts'
import { openBrowser, sealOf } from '#test/support/browser.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const redirectUrl = 'http://127.0.0.1:50999/callback'

test("the SDK's client goes from the address through log-in and consent to a tool, refreshes, and ends", async () => {
  const kept = keptAuthorization(redirectUrl)
  const endpoint = new URL('/mcp', server.url)
  const transportOf = () =>
    new StreamableHTTPClientTransport(endpoint, { authProvider: kept.provider })
  const clientOf = () => new Client({ name: 'test', version: '1' })

  const first = transportOf()
  await assert.rejects(clientOf().connect(first), UnauthorizedError)
  const [asked] = kept.opened
  assert.ok(asked)

  const browser = openBrowser(server.url)
  const login = (await browser.go(asked.href)).headers.get('location') ?? ''
  const typed = { email: server.as('member').email, password: 'hamlet-password' }
  const back = (await browser.fill(login, typed)).headers.get('location') ?? ''
  const { text } = await browser.go(back)
  assert.match(text, /Connect <bdi>Test Desktop<\/bdi>\?/)
  assert.match(text, /a program on this computer/)
  const form = { form: sealOf(text), decision: 'allow', access: 'write' }
  const reply = new URL((await browser.go(back, form)).headers.get('location') ?? '')
  assert.equal(reply.origin + reply.pathname, redirectUrl)
  assert.equal(reply.searchParams.get('state'), 'the state')
  await first.finishAuth(reply.searchParams)

  const client = clientOf()
  await client.connect(transportOf())
  assert.ok((await client.listTools()).tools.length > 0)
  const before = kept.tokens()
  server.clock.advance(3601 * 1000)
  assert.ok((await client.listTools()).tools.length > 0)
  assert.notEqual(kept.tokens()?.access_token, before?.access_token)
  assert.notEqual(kept.tokens()?.refresh_token, before?.refresh_token)

  const { assistants } = await server
    .as('member')
    .get<{ assistants: { id: number; name: string }[] }>('/users/me/assistants')
  assert.deepEqual(
    assistants.map(({ name }) => name),
    ['Test Desktop'],
  )
  await server.as('member').del(`/users/me/assistants/${assistants[0]?.id}`)
  await assert.rejects(client.listTools(), UnauthorizedError)
  assert.equal(kept.opened.length, 2)
  await client.close()
})
