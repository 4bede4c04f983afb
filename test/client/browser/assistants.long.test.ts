import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, describe, test } from 'node:test'
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { keptAuthorization } from '#test/support/assistants.ts'
import { openSite } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { freePort } from '#test/support/free-port.ts'

describe('an assistant', { skip: noChromium }, async () => {
  if (noChromium) return
  const site = await openSite()
  const port = await freePort()
  const redirectUrl = `http://127.0.0.1:${port}/callback`
  let arrived: (reply: URLSearchParams) => void = () => {}
  const waiting = createServer((request, response) => {
    response
      .setHeader('Content-Type', 'text/html')
      .end('<title>x</title><p>You can go back now.</p>')
    const { pathname, searchParams } = new URL(request.url ?? '', redirectUrl)
    if (pathname === '/callback') arrived(searchParams)
  }).listen(port, '127.0.0.1')
  after(async () => {
    waiting.close()
    await site.close()
  })

  test('is connected with the address of the settings, writes, and is disconnected there', async () => {
    const { page } = await site.logIn('member', { hash: '#settings/assistants' })
    await page.getByText('None is connected.').waitFor()
    const address = await page.locator('.secret').textContent()

    const kept = keptAuthorization(redirectUrl)
    const client = new Client({ name: 'test', version: '1' })
    const transportOf = () =>
      new StreamableHTTPClientTransport(new URL(address ?? ''), { authProvider: kept.provider })
    const first = transportOf()
    await assert.rejects(client.connect(first), UnauthorizedError)
    const reply = new Promise<URLSearchParams>((resolve) => {
      arrived = resolve
    })
    await page.goto(kept.opened[0]?.href ?? '')
    await page.getByRole('heading', { name: 'Connect Test Desktop?' }).waitFor()
    assert.equal(await page.getByLabel('Read only').isChecked(), false)
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByText('You can go back now.').waitFor()
    await first.finishAuth(await reply)

    const connected = new Client({ name: 'test', version: '1' })
    await connected.connect(transportOf())
    const sent = await connected.callTool({
      name: 'send_message',
      arguments: { channel: 'Denmark', topic: 'plans', content: 'The first of mine.' },
    })
    assert.ok(!sent.isError, JSON.stringify(sent))

    await page.goto(`${site.server.url}/#narrow/channel/${site.server.channels.public}/topic/plans`)
    const message = page.locator('.message', { hasText: 'The first of mine.' })
    await message.getByRole('note', { name: 'via Test Desktop' }).waitFor()

    await page.evaluate(() => location.assign('#settings/assistants'))
    const row = page.getByRole('listitem').filter({ hasText: 'Test Desktop' })
    await row.getByText(/^Reads and writes, connected: .*, used /).waitFor()
    await row.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByText('None is connected.').waitFor()
    await assert.rejects(connected.listTools(), UnauthorizedError)
    await connected.close()
  })

  test('that may only read, cannot write; administrators see how many are connected', async () => {
    const { page } = await site.logIn('admin', { hash: '#organization/organization-permissions' })
    await page.getByText('0 assistants are connected.').waitFor()
    const kept = keptAuthorization(redirectUrl)
    const address = new URL('/mcp', site.server.url)
    const transportOf = () =>
      new StreamableHTTPClientTransport(address, { authProvider: kept.provider })
    const first = transportOf()
    const client = new Client({ name: 'test', version: '1' })
    await assert.rejects(client.connect(first), UnauthorizedError)
    const reply = new Promise<URLSearchParams>((resolve) => {
      arrived = resolve
    })
    await page.goto(kept.opened[0]?.href ?? '')
    await page.getByLabel('Read only').check()
    await page.getByRole('button', { name: 'Allow' }).click()
    await first.finishAuth(await reply)
    const reader = new Client({ name: 'test', version: '1' })
    await reader.connect(transportOf())
    const sent = await reader.callTool({
      name: 'send_message',
      arguments: { channel: 'Denmark', topic: 'plans', content: 'Not mine.' },
    })
    assert.equal(sent.isError, true)
    await reader.close()
    await page.goto(`${site.server.url}/#organization/organization-permissions`)
    await page.getByText('1 assistant is connected.').waitFor()
  })
})
