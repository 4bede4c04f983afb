import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below those that the system gives to sockets which may have any: nobody takes one meanwhile. */
const lowest = 16_384
const count = 16_384

const given = new Set<number>()

/** A port of this machine that nobody listens on, another each time. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * count)
    if (given.has(port)) continue
    given.add(port)
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  try {
    await once(probe.listen(port, '127.0.0.1'), 'listening')
  } catch {
    return false
  }
  await once(probe.close(), 'close')
  return true
}
