import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { sentence } from '#test/bench/words.ts'
import { createRandom } from '#test/support/drawing.ts'
import { historyLength, historyMark, markOf, topicLength } from './organizations.ts'

/** A server that speaks as much IRC as a client needs to read. */
export interface Irc {
  readonly port: number
  close(): void
}

/**
 * Who joins `#topic0`, `#topic1` ... or `#history` gets messages as the organization of the bench has
 * them, at once.
 */
export async function startIrc(): Promise<Irc> {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: () => void server.close(),
  }
}

const host = 'bench.invalid'

function answer(socket: Socket): void {
  let rest = ''
  let nick = '*'
  const send = (line: string) => socket.write(`${line}\r\n`)
  const reply = (code: string, text: string) => send(`:${host} ${code} ${nick} ${text}`)
  socket.on('error', () => undefined)
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const [command, argument = ''] = line.split(' ')
      if (command === 'NICK') nick = argument
      if (command === 'CAP' && argument === 'LS') send(`:${host} CAP * LS :`)
      if (command === 'USER') {
        reply('001', ':Welcome')
        reply('005', 'CHANTYPES=# NICKLEN=30 :are supported by this server')
        reply('422', ':No message of the day')
      }
      if (command === 'PING') send(`:${host} PONG ${host} ${argument}`)
      if (command === 'JOIN') for (const name of argument.split(',')) join(name)
    }
  })

  function join(name: string): void {
    send(`:${nick}!u@${host} JOIN ${name}`)
    reply('353', `= ${name} :${nick} person1 person2`)
    reply('366', `${name} :End`)
    const random = createRandom(5)
    const topic = /^#topic(\d+)$/.exec(name)?.[1]
    const count = topic === undefined ? historyLength : topicLength
    for (let i = 0; i < count; i++) {
      const mark = topic === undefined ? historyMark(i) : markOf(Number(topic))
      const sender = `person${1 + Math.floor(random() * 40)}`
      send(`:${sender}!u@${host} PRIVMSG ${name} :${sentence(random)} ${mark}`)
    }
  }
}
