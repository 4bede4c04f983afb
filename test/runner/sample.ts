import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, describe, test } from 'node:test'

// As files with stories in a browser are: a suite that opens something, and then declares its tests.

describe('a site', async () => {
  const server = createServer()
  server.listen(0)
  await once(server, 'listening')
  after(() => new Promise<unknown>((closed) => server.close(closed)))
  test('is read', () => {})
  describe('by a member', () => {
    test('is written', () => {})
    test('is read as well', () => {})
  })
})
