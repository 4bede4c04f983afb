import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startServer } from '#test/support/server.ts'

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
  const scenarios = [
    'server-initialize',
    'ping',
    'logging-set-level',
    'tools-list',
    'dns-rebinding-protection',
  ]
  for (const scenario of scenarios) {
    test(`${scenario} passes`, async () => {
      assert.match(await report(url, scenario), /Passed: (\d+)\/\1, 0 failed/)
    })
  }
})
