import * as v from 'valibot'
import type { Context } from '#context.ts'
import { ApiError, badRequest } from '#errors.ts'
import type { App } from '#http/mount.ts'
import { failureJson } from '#http/reply.ts'
import { sameText } from '#same-text.ts'
import { runCommand } from './commands.ts'

/** Where the shell of the same machine posts its commands. */
export const controlPath = '/control'

const request = v.object({ command: v.string(), args: v.unknown() })

/** Largest command, in bytes. */
const bodyLimit = 64 * 1024

/**
 * Takes the commands of `parley user ...` while the server runs. Who does not know the secret of
 * the data folder is answered as if there was nothing here.
 */
export function mountControl(app: App, server: Context, secret: string): void {
  app.post(controlPath, async (c) => {
    const given = c.req.header('authorization') ?? ''
    const isLong = Number(c.req.header('content-length') ?? bodyLimit + 1) > bodyLimit
    if (!sameText(given, `Bearer ${secret}`) || isLong) return c.notFound()
    const body = v.safeParse(request, await c.req.json())
    if (!body.success) throw badRequest('A command has a name and arguments.')
    const { command, args } = body.output
    return new Response(patiently(answer(server, command, args)), {
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

/** How often a client that waits hears that it does not wait in vain, in milliseconds. */
const patience = 15_000

/** The JSON text, after blanks for as long as it takes: a backup takes longer than clients wait. */
function patiently(json: Promise<string>): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder()
  let beat: NodeJS.Timeout | undefined
  return new ReadableStream({
    async start(controller) {
      beat = setInterval(() => controller.enqueue(bytes.encode(' ')), patience)
      controller.enqueue(bytes.encode(await json))
      clearInterval(beat)
      controller.close()
    },
    cancel: () => clearInterval(beat),
  })
}
