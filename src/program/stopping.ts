import type { Server as HttpServer } from 'node:http'

/** How long to wait for open connections when stopping, in milliseconds. */
const stopGrace = 3000
/**
 * How long to wait for background work, such as a mail that is being sent, in milliseconds. What waits
 * longer waits for another server, and is done again after the next start.
 */
const workGrace = 5000

/** Waits for work, but not for long. @returns whether it is done */
export async function endWork(work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((done) => {
    timer = setTimeout(done, workGrace, false)
  })
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}

/** Closes each connection once its request is answered; parked polls have just been answered. */
export function stopListening(http: HttpServer): Promise<void> {
  return new Promise((done) => {
    const sweep = setInterval(() => http.closeIdleConnections(), 10)
    const cut = setTimeout(() => http.closeAllConnections(), stopGrace)
    http.close(() => {
      clearInterval(sweep)
      clearTimeout(cut)
      done()
    })
  })
}
