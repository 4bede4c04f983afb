import * as v from 'valibot'
import { constantTimeEqual } from '#platform/constant-time.ts'
import type { Context } from '#platform/context.ts'
import { ApiError, badRequest } from '#platform/errors.ts'
import { clientAddress } from '#platform/http/client-address.ts'
import type { App } from '#platform/http/mount.ts'
import { failureJson } from '#platform/http/reply.ts'
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
export function mountControl(app: App, server: Context, secret: string): void {
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
    return new Response(withKeepAlive(answer(server, command, args)), {
      headers: { 'Content-Type': 'application/json' },
    })
  })
}

async function answer(server: Context, command: string, args: unknown): Promise<string> {
  try {
    const output = await runCommand(server, command, args)
    return JSON.stringify({ result: 'success', msg: '', output })
  } catch (error) {
    if (error instanceof ApiError) return failureJson(error)
    server.log.error({ command, err: error }, 'command failed')
    return failureJson(new ApiError('INTERNAL_SERVER_ERROR', 'Internal server error'))
  }
}

/** The time between two spaces that keep the connection alive, in milliseconds. */
const keepAliveInterval = 15_000

/** Sends spaces until the JSON text is ready: a backup takes longer than the client's timeout. */
function withKeepAlive(json: Promise<string>): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder()
  let beat: NodeJS.Timeout | undefined
  return new ReadableStream({
    async start(controller) {
      beat = setInterval(() => controller.enqueue(bytes.encode(' ')), keepAliveInterval)
      controller.enqueue(bytes.encode(await json))
      clearInterval(beat)
      controller.close()
    },
    cancel: () => clearInterval(beat),
  })
}
