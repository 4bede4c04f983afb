import { createServer } from '#program/server.ts'

// A fixture server in a process of its own, for tests that kill it: prints its URL, then serves until
// SIGTERM. A long storm saves many drafts.
const server = await createServer({
  data: process.argv[2] ?? ':memory:',
  port: 0,
  fixture: true,
  config: { logLevel: 'silent', quotas: { drafts: 1_000_000 } },
})
process.stdout.write(`${server.url}\n`)
process.once('SIGTERM', () => void server.close())
