import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { registerProgram } from '#test/support/assistants.ts'
import { startServer } from '#test/support/server.ts'
import { connections } from './connect.ts'

const server = await startServer()
const { open, closeAll } = connections(server)
after(async () => {
  await closeAll()
  await server.close()
})

/** Connects a program that the member has allowed, under the name that it registered. */
async function allowed(access: 'read' | 'write', name = 'Design Helper') {
  const program = await registerProgram(server, name)
  const { access_token: apiKey } = await program.connect('member', { access })
  return { apiKey, client: await open({ apiKey }, { name: 'ZulipMobile' }) }
}

describe('a program that a person allowed', () => {
  test('to read only has only the tools that read', async () => {
    const { client } = await allowed('read')
    const { tools } = await client.listTools()
    assert.ok(tools.length > 0)
    assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint))
    await client.callTool({ name: 'whats_new', arguments: {} })
    for (const name of ['send_message', 'react', 'mark_as_read', 'edit_message']) {
      const result = await client.callTool({ name, arguments: {} })
      assert.equal(result.isError, true)
      assert.match(JSON.stringify(result.content), /may only read/)
    }
  })

  test('writes under the name that it registered, whatever it calls itself', async () => {
    const { client } = await allowed('write')
    const place = { channel: 'Verona', topic: 'names' }
    const sent = await client.callTool({
      name: 'send_message',
      arguments: { ...place, content: 'Hello.' },
    })
    const { message_id: id } = sent.structuredContent as { message_id: number }
    const { message } = await server
      .as('admin')
      .get<{ message: { client: string; sender_id: number } }>(`/messages/${id}`)
    assert.equal(message.client, 'Design Helper (MCP)')
    assert.equal(message.sender_id, server.ids.member)
  })

  test('cannot use the session of another one of the same person', async () => {
    const [first, second] = [await allowed('write'), await allowed('read', 'Other')]
    const session = first.client.transport?.sessionId ?? ''
    assert.notEqual(session, '')
    const ask = (apiKey: string) =>
      server.fetch('/mcp', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${apiKey}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-session-id': session,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      })
    assert.equal((await ask(first.apiKey)).status, 200)
    assert.equal((await ask(second.apiKey)).status, 404)
    assert.equal((await ask(server.as('member').apiKey)).status, 404)
  })
})
