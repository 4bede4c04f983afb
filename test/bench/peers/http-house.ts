import { once } from 'node:events'
import { connect } from 'node:net'
import type { Connection } from '../http.ts'
import { ask, openConnection } from '../http.ts'
import type { Running } from '../processes.ts'
import { comeIn, crowd, eachAtATime, type House, senders } from './house.ts'

/** Calls `take` with the text of each message that a reader gets. */
export type Take = (text: string) => void

export interface Reader {
  close(): void
}

/** What is special about a server that speaks HTTP. */
export interface HttpServer {
  readonly name: string
  start(): Promise<Running>
  /** Lets one of the people read from now on. */
  follow(port: number, person: number, take: Take): Promise<Reader>
  sendRequest(sender: number, text: string): string
  historyRequest(count: number): string
  /** The texts in what that was answered with. */
  textsOf(body: string): string[]
}

export async function openHttpHouse(kind: HttpServer): Promise<House> {
  let server = await kind.start()
  let take: Take = () => {}
  const people = Array.from({ length: crowd }, (_, person) => person)
  const readers: Reader[] = []
  const openLines = () =>
    Promise.all(Array.from({ length: senders * eachAtATime }, () => openConnection(server.port)))
  let lines: Connection[] = await openLines()
  let free = [...lines]
  let reading = await openConnection(server.port)
  return {
    name: kind.name,
    pid: () => server.pid,
    startMs: () => server.startMs,
    fill: (count) =>
      comeIn(count, people, readers, (person) =>
        kind.follow(server.port, person, (text) => take(text)),
      ),
    async send(sender, text) {
      const line = free.pop() ?? (await openConnection(server.port))
      await ask(line, kind.sendRequest(sender, text))
      free.push(line)
    },
    listen(listener) {
      take = listener
    },
    async history(count) {
      return kind.textsOf((await ask(reading, kind.historyRequest(count))).toString())
    },
    async killAndStart() {
      process.kill(server.pid, 'SIGKILL')
      await server.stop()
      server = await kind.start()
      reading = await openConnection(server.port)
      lines = []
      free = []
    },
    async stop() {
      for (const { close } of [...readers, ...lines, reading]) close()
      await server.stop()
    },
  }
}

/** Asks again and again, each time for what comes after the last. @param next resolves with an answer */
export function poll(
  connection: Connection,
  next: (connection: Connection) => Promise<void>,
): Reader {
  let isOver = false
  const go = async () => {
    while (!isOver) await next(connection)
  }
  // It ends with its connection.
  go().catch(() => {})
  return {
    close() {
      isOver = true
      connection.close()
    },
  }
}

/** Follows a stream of records. @param take gets the JSON of each */
export async function followStream(
  port: number,
  request: string,
  take: (data: unknown) => void,
): Promise<Reader> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  socket.setEncoding('utf8')
  let text = ''
  socket.on('data', (chunk: string) => {
    text += chunk
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1]
      text = text.slice(end + 2)
      if (data !== undefined) take(JSON.parse(data))
    }
  })
  socket.on('error', () => {})
  const opened = once(socket, 'data')
  socket.write(request)
  await opened
  return { close: () => void socket.destroy() }
}
