import * as v from 'valibot'
import { constantTimeEqual } from '#platform/constant-time.ts'
import type { SystemContext } from '#platform/context.ts'
import { ApiError, badRequest } from '#platform/errors.ts'
import { clientAddress } from '#platform/http/client-address.ts'
import { LightReply } from '#platform/http/light/reply.ts'
import type { App } from '#platform/http/mount.ts'
import { explain } from '#platform/store/refusals.ts'
import type { Task } from '#platform/task.ts'
import { runCommand } from './commands.ts'

/** The path to which the shell on the same machine posts commands. */
export const controlPath = '/control'

const request = v.object({ command: v.string(), args: v.unknown() })

/** The largest request, in bytes. */
const bodyLimit = 64 * 1024

/**
 * Accepts commands such as `parley user add` while the server runs. Without the secret from the
 * data folder, the answer is a 404.
 */
export function mountControl(app: App, server: SystemContext, secret: string): void {
  app.post(controlPath, async (c) => {
    const given = c.req.header('authorization') ?? ''
    const isLong = Number(c.req.header('content-length') ?? bodyLimit + 1) > bodyLimit
    if (given !== '' && !constantTimeEqual(given, `Bearer ${secret}`)) {
      server.rateLimits.guesses.wrongKey(given, clientAddress(server, c))
      return c.notFound()
    }
    if (given === '' || isLong) return c.notFound()
    const body = v.safeParse(request, await c.req.json())
    if (!body.success) throw badRequest('A command must have a name and arguments.')
    const { command, args } = body.output
    return new LightReply(reported(server, command, args, c.req.raw.signal), {
      headers: { 'Content-Type': 'application/x-ndjson' },
    })
  })
}

async function replyTo(
  server: SystemContext,
  command: string,
  args: unknown,
  task: Task,
): Promise<object> {
  try {
    return { result: 'success', msg: '', ...(await runCommand(server, command, args, task)) }
  } catch (error) {
    if (error instanceof ApiError) return { result: 'error', msg: error.message }
    if (!task.signal.aborted) server.log.error({ command, err: error }, 'command failed')
    // Only the operator has the secret, and needs the reason.
    return { result: 'error', msg: `The server could not do this: ${explain(error)}` }
  }
}

/** The time between two lines that keep the connection alive, in milliseconds. */
const keepAliveInterval = 15_000
/** The least time between two reports of progress, in milliseconds. */
const reportInterval = 100

/**
 * Runs a command and streams lines of JSON: its progress, empty lines that keep the connection
 * alive, and the reply as the last line. If the client goes away, the command is aborted.
 */
function reported(
  server: SystemContext,
  command: string,
  args: unknown,
  gone: AbortSignal,
): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder()
  const giveUp = new AbortController()
  const abort = () => giveUp.abort(new Error('The client of this command has gone.'))
  gone.addEventListener('abort', abort)
  let beat: NodeJS.Timeout | undefined
  return new ReadableStream({
    async start(controller) {
      const line = (value: object | undefined) => {
        if (giveUp.signal.aborted) return
        controller.enqueue(bytes.encode(`${value ? JSON.stringify(value) : ''}\n`))
      }
      let last = Number.NEGATIVE_INFINITY
      const task: Task = {
        signal: giveUp.signal,
        report(step, done, total) {
          if (performance.now() - last < reportInterval) return
          last = performance.now()
          line({ step, done, total })
        },
      }
      beat = setInterval(() => line(undefined), keepAliveInterval)
      const reply = await replyTo(server, command, args, task)
      clearInterval(beat)
      gone.removeEventListener('abort', abort)
      if (giveUp.signal.aborted) return
      line(reply)
      controller.close()
    },
    cancel() {
      clearInterval(beat)
      abort()
    },
  })
}
