import { createServer } from '#program/server.ts'

// A fixture server in a process of its own, for tests that kill it: prints its URL, then serves.
const server = await createServer({
  data: process.argv[2] ?? ':memory:',
  port: 0,
  fixture: true,
  config: { logLevel: 'silent' },
})
process.stdout.write(`${server.url}\n`)
