import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import Database from 'better-sqlite3'

/**
 * The least that a chat server can be with this runtime and this database: it stores texts in one table
 * at `synchronous=FULL`, those of one turn of the event loop in one transaction, answers once they are
 * on disk, and gives them to all who wait or follow. No accounts, no rights, no rendering. Run
 * with a database file and a port.
 */
const [file = '', port = ''] = process.argv.slice(2)
const db = new Database(file)
db.pragma('journal_mode = WAL')
db.pragma('synchronous = FULL')
db.exec('CREATE TABLE IF NOT EXISTS messages (id INTEGER PRIMARY KEY, content TEXT)')
const insert = db.prepare('INSERT INTO messages (content) VALUES (?)')
const newest = db.prepare('SELECT id, content FROM messages ORDER BY id DESC LIMIT ?')

interface Sent {
  readonly content: string
  readonly response: ServerResponse
}

/** A message as JSON, for readers that are a little behind. */
interface Kept {
  readonly id: number
  readonly json: string
}

const mostKept = 20_000
let kept: Kept[] = []
let sent: Sent[] = []
let waiting: ServerResponse[] = []
const following = new Set<ServerResponse>()

const store = db.transaction((all: readonly Sent[]) =>
  all.map(({ content }) => Number(insert.run(content).lastInsertRowid)),
)

function commit(): void {
  const all = sent
  sent = []
  const ids = store.immediate(all)
  const fresh = all.map(({ content }, i) => {
    const id = ids[i] ?? 0
    return { id, json: JSON.stringify({ id, content }) }
  })
  kept.push(...fresh)
  if (kept.length > 2 * mostKept) kept = kept.slice(-mostKept)
  all.forEach(({ response }, i) => {
    answer(response, `{"id":${ids[i]}}`)
  })
  const events = list(fresh)
  const readers = waiting
  waiting = []
  for (const response of readers) answer(response, events)
  const record = Buffer.from(`data: ${events}\n\n`)
  for (const response of following) response.write(record)
}

const list = (messages: readonly Kept[]) => `[${messages.map(({ json }) => json).join()}]`

function answer(response: ServerResponse, text: string): void {
  const body = Buffer.from(text)
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length })
  response.end(body)
}

function serve(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://floor')
  if (pathname === '/send') {
    let content = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => {
      content += chunk
    })
    request.on('end', () => {
      if (sent.push({ content, response }) === 1) setImmediate(commit)
    })
  } else if (pathname === '/events') {
    const after = Number(searchParams.get('after'))
    const last = kept.at(-1)?.id ?? 0
    if (after >= last) waiting.push(response)
    else answer(response, list(kept.slice(after - last)))
  } else if (pathname === '/stream') {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.write(':\n\n')
    following.add(response)
    response.on('close', () => following.delete(response))
  } else if (pathname === '/newest') {
    answer(response, JSON.stringify(newest.all(Number(searchParams.get('count')))))
  } else answer(response, '{}')
}

createServer({ keepAliveTimeout: 65_000 }, serve).listen(Number(port), '127.0.0.1')
