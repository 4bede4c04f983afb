import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { startServer } from '#test/support/server.ts'

const entries: { readonly level: number; readonly path?: string }[] = []
let logged = () => {}
const write = (line: string) => {
  entries.push(JSON.parse(line))
  logged()
}
const server = await startServer({ socket: true, log: pino({ level: 'debug' }, { write }) })
after(server.close)

test('a client that goes away in the middle of its request is not logged as an error', async () => {
  const { host, port, hostname } = new URL(server.url)
  const { email, apiKey } = server.as('member')
  const gone = new Promise<void>((resolve) => {
    logged = () => {
      if (entries.some(({ path }) => path === '/api/v1/messages')) resolve()
    }
  })
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const head = [
    'POST /api/v1/messages HTTP/1.1',
    `Host: ${host}`,
    `Authorization: Basic ${btoa(`${email}:${apiKey}`)}`,
    'Content-Type: application/x-www-form-urlencoded',
    'Content-Length: 100000',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\ntype=channel&to=4`)
  // The request is in progress once a later one is answered.
  assert.equal((await server.as('member').get('/users/me')).result, 'success')
  socket.destroy()
  await gone
  assert.deepEqual(
    entries.filter(({ level }) => level >= 40),
    [],
  )
})
