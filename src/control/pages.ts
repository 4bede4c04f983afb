import * as v from 'valibot'
import type { Context } from '#context.ts'
import { badRequest } from '#errors.ts'
import { sameText } from '#http/authenticate.ts'
import type { App } from '#http/mount.ts'
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
    const output = await runCommand(server, body.output.command, body.output.args)
    return c.json({ result: 'success', msg: '', output })
  })
}
