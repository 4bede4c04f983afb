import { chmodSync, lstatSync, rmSync } from 'node:fs'
import { connect, createServer, type ListenOptions, type Server } from 'node:net'
import type { Listening } from './options.ts'

/** The mode of a Unix socket: its owner and its group may connect. */
const socketMode = 0o660

/** Resolves once the server listens. @throws Error the port is taken */
export function listen(server: Server, options: ListenOptions): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', fail)
    server.listen(options, () => {
      server.off('error', fail)
      done()
    })
  })
}

/**
 * Checks that nobody listens where a server is going to.
 *
 * @throws Error a port or the socket is taken
 */
export async function requireFree(
  { redirectPort, socket }: Pick<Listening, 'redirectPort' | 'socket'>,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<void> {
  if (socket !== undefined) await requireFreeSocket(socket)
  for (const each of [redirectPort, socket === undefined ? port : undefined]) {
    if (!each) continue
    const server = createServer()
    await listen(server, { host, port: each })
    await new Promise((done) => server.close(done))
  }
}

/** @returns whether a socket that nobody listens on is in the way @throws Error anything else is */
async function requireFreeSocket(path: string): Promise<boolean> {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found && !found.isSocket()) throw new Error(`${path} already exists and is not a socket.`)
  if (found && (await acceptsConnections(path)))
    throw new Error(`Another server is listening on ${path}.`)
  return found !== undefined
}

/**
 * Listens on a Unix socket, which replaces one that a server has left behind.
 *
 * @throws Error another server listens on it, or it is something else
 */
export async function listenOnSocket(server: Server, path: string): Promise<void> {
  if (await requireFreeSocket(path)) rmSync(path)
  // The mask, so that there is no moment at which everyone may connect.
  const mask = process.umask(0o777 & ~socketMode)
  const listening = listen(server, { path })
  process.umask(mask)
  await listening
  chmodSync(path, socketMode)
}

function acceptsConnections(path: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      done(true)
    })
    socket.once('error', () => done(false))
  })
}
