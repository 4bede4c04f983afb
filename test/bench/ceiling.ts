import { createAdaptorServer } from '@hono/node-server'
import Database from 'better-sqlite3'
import { type Context, Hono } from 'hono'

/**
 * What durable sends could cost at best with this framework and this database: bare routes that
 * parse the form of `POST /messages` and store it in one row, at `synchronous=FULL`, with the
 * writes of one turn of the event loop in one transaction. One parses the form as Hono does, the
 * other as fast as Node can. A third route parks who waits for the next message, and answers all of
 * them once that is stored. Two more answer with as many bytes as are asked for: one at once, the
 * other once a row is stored. Run with a database file and a port.
 */
const [file = '', port = ''] = process.argv.slice(2)
const db = new Database(file)
db.pragma('journal_mode = WAL')
db.pragma('synchronous = FULL')
db.exec('CREATE TABLE messages (id INTEGER PRIMARY KEY, place TEXT, topic TEXT, content TEXT)')
const insert = db.prepare('INSERT INTO messages (place, topic, content) VALUES (?, ?, ?)')

type Write = () => () => void
let waiting: Write[] = []

const commitAll = db.transaction((writes: Write[]) => writes.map((write) => write()))

function commit(): void {
  const writes = waiting
  waiting = []
  for (const answer of commitAll.immediate(writes)) answer()
}

function store(...row: unknown[]): Promise<number | bigint> {
  return new Promise((resolve) => {
    const write: Write = () => {
      const { lastInsertRowid } = insert.run(...row)
      return () => resolve(lastInsertRowid)
    }
    if (waiting.push(write) === 1) setImmediate(commit)
  })
}

let parked: ((id: number) => void)[] = []

function tell(id: number): void {
  const waiting = parked
  parked = []
  for (const answer of waiting) answer(id)
}

const app = new Hono()
app.get('/events', async (c) => {
  const id = await new Promise<number>((answer) => parked.push(answer))
  return c.json({ result: 'success', msg: '', events: [{ id, type: 'message', message: { id } }] })
})
app.post('/messages', async (c) => {
  const { to, topic, content } = await c.req.parseBody()
  const id = await store(to, topic, content)
  if (parked.length > 0) tell(Number(id))
  return c.json({ result: 'success', msg: '', id: Number(id) })
})
app.post('/messages/fast', async (c) => {
  const form = new URLSearchParams(await c.req.text())
  const id = await store(form.get('to'), form.get('topic'), form.get('content'))
  return c.json({ result: 'success', msg: '', id: Number(id) })
})
const texts = new Map<number, string>()

function bytes(c: Context): Response {
  const count = Number(c.req.param('count'))
  const text = texts.get(count) ?? JSON.stringify('x'.repeat(Math.max(0, count - 2)))
  texts.set(count, text)
  return c.body(text, 200, { 'Content-Type': 'application/json' })
}

app.get('/bytes/:count', bytes)
app.post('/bytes/:count', async (c) => {
  await store('place', 'topic', await c.req.text())
  return bytes(c)
})
createAdaptorServer({
  fetch: app.fetch,
  // As long as the product's: between two rounds of a busy machine, connections rest.
  serverOptions: { keepAliveTimeout: 65_000 },
}).listen(Number(port), '127.0.0.1')
