import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Attacker } from './attack.ts'

/** A connection to the server whose end, however it comes, is counted. */
export function openSocket(attacker: Attacker): Socket {
  const socket = connect(attacker.port, '127.0.0.1')
  attacker.count('connections')
  socket.on('error', () => {})
  socket.on('close', () => attacker.count('closed'))
  return socket
}

/** The head of a request, as the attacking account, with its empty line. */
export function head(attacker: Attacker, first: string, ...lines: readonly string[]): string {
  const usual = [`${first} HTTP/1.1`, 'Host: 127.0.0.1', `Authorization: ${attacker.authorization}`]
  return `${[...usual, ...lines].join('\r\n')}\r\n\r\n`
}

/** Writes without end, as fast as the server takes it, at most `most` bytes. */
export async function pour(
  attacker: Attacker,
  socket: Socket,
  piece: string,
  most: number,
): Promise<void> {
  for (let sent = 0; sent < most && !attacker.isOver() && !socket.destroyed; ) {
    sent += piece.length
    if (!socket.write(piece)) await Promise.race([once(socket, 'drain'), attacker.rest(1000)])
  }
}
