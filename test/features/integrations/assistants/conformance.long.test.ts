import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { getRequestListener } from '@hono/node-server'
import { createServing } from '#features/integrations/assistants/serving.actions.ts'
import { startServer } from '#test/support/server.ts'
import { createSuiteServer } from './suite-tools.ts'

const run = promisify(execFile)
const suite = fileURLToPath(
  new URL(
    '../../../../node_modules/@modelcontextprotocol/conformance/dist/index.js',
    import.meta.url,
  ),
)
const results = await mkdtemp(join(tmpdir(), 'conformance-'))
const server = await startServer()
const { apiKey } = server.as('member')

/** Passes requests on as they are, with the credential that the suite cannot send. */
const proxy = createServer((incoming, outgoing) => {
  const headers = { ...incoming.headers, authorization: `Bearer ${apiKey}` }
  const { method, url: path } = incoming
  const passed = request(server.url, { method, path, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
    answer.pipe(outgoing)
  })
  passed.on('error', () => outgoing.destroy())
  outgoing.on('close', () => passed.destroy())
  incoming.pipe(passed)
})
proxy.listen(0, '127.0.0.1')
await once(proxy, 'listening')
const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`

after(async () => {
  proxy.closeAllConnections()
  proxy.close()
  await server.close()
  await rm(results, { recursive: true })
})

/** The report of a scenario. @throws if any of its checks fails */
async function report(url: string, scenario: string): Promise<string> {
  const args = [suite, 'server', '--url', url, '--scenario', scenario, '-o', results]
  const { stdout } = await run(process.execPath, args)
  return stdout
}

describe('the protocol’s own suite, on the product', () => {
  for (const scenario of `
    server-initialize ping logging-set-level completion-complete tools-list resources-list
    prompts-list server-sse-multiple-streams dns-rebinding-protection`
    .trim()
    .split(/\s+/)) {
    test(`${scenario} passes`, async () => {
      assert.match(await report(url, scenario), /Passed: (\d+)\/\1, 0 failed/)
    })
  }
})

describe('the protocol’s own suite, on the same transport with its own tools', () => {
  const serving = createServing(server.server.context, createSuiteServer)
  const identified = { assistant: { userId: server.ids.member, name: 'suite', mayWrite: true } }
  const listener = createServer(
    getRequestListener(async (request) => {
      const body =
        request.method === 'POST' ? new Uint8Array(await request.arrayBuffer()) : new Uint8Array()
      return await serving.answer(request, body, { ...identified, charge() {} } as never)
    }),
  )
  before(async () => {
    listener.listen(0, '127.0.0.1')
    await once(listener, 'listening')
  })
  after(() => {
    listener.closeAllConnections()
    listener.close()
  })
  for (const scenario of `
    tools-call-simple-text tools-call-image tools-call-audio tools-call-embedded-resource
    tools-call-mixed-content tools-call-with-logging tools-call-error tools-call-with-progress
    tools-call-sampling tools-call-elicitation json-schema-2020-12 elicitation-sep1034-defaults
    elicitation-sep1330-enums server-sse-polling resources-read-text resources-read-binary
    resources-templates-read resources-subscribe resources-unsubscribe prompts-get-simple
    prompts-get-with-args prompts-get-embedded-resource prompts-get-with-image`
    .trim()
    .split(/\s+/)) {
    test(`${scenario} passes`, async () => {
      const { port } = listener.address() as AddressInfo
      const told = await report(`http://127.0.0.1:${port}/mcp`, scenario)
      assert.match(told, /Passed: (\d+)\/\1, 0 failed/, told)
    })
  }
})
