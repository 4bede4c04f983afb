import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import * as v from 'valibot'
import type { SystemContext } from '#platform/context.ts'
import { badRequest } from '#platform/errors.ts'
import { type DataFolder, databaseIn, openFolder } from '#platform/store/folder.ts'
import { readSchema } from '#platform/store/open.ts'
import { damaged, FolderInUse } from '#platform/store/refusals.ts'
import { type Task, unwatched } from '#platform/task.ts'
import {
  type ContextOptions,
  closeStore,
  openContext,
  prepare,
  restoreQueues,
} from '#program/context.ts'
import type { CommandResult } from '#program/task.ts'
import { type CommandArgs, type CommandName, onlyReads, runCommand } from './commands.ts'
import { readControlFile } from './file.ts'
import { controlPath } from './pages.ts'

/** The lines of the server's answer: its progress, and at the end the reply. */
const progress = v.object({ step: v.string(), done: v.number(), total: v.number() })
const reply = v.object({
  msg: v.string(),
  output: v.optional(v.string()),
  failed: v.optional(v.boolean()),
})

/**
 * Runs a command on a data folder: in the server that runs there, or in this process if none does.
 *
 * @param options.address the address to assume for the server if it is stopped and none is
 *   configured
 * @throws BAD_REQUEST and other errors for the operator; FolderInUse the server does not answer
 */
export async function control<N extends CommandName>(
  options: ContextOptions,
  name: N,
  args: CommandArgs<N>,
  task: Task = unwatched,
): Promise<CommandResult> {
  if (name !== 'init') requireDatabase(options.data)
  let folder: DataFolder | undefined
  let server: SystemContext
  try {
    folder = openFolder(options.data, name, task.note)
    if (onlyReads(name)) requireCurrent(folder)
    await prepare(folder, { ...options, task })
    server = openContext({ ...options, task }, folder.database)
  } catch (error) {
    folder?.release()
    // The lock may be missing although a server holds the database.
    if (!(error instanceof FolderInUse)) throw damaged(databaseIn(options.data), error)
    return await askServer(error, options.data, name, args, task)
  }
  try {
    // Clients that come back later must learn about the changes of the command. One that only reads
    // writes nothing, for which a full disk would have no room.
    if (!onlyReads(name)) await restoreQueues(server)
    return await runCommand(server, name, args, task)
  } catch (error) {
    throw damaged(folder.database, error)
  } finally {
    server.queues.shutDown()
    closeStore(server, folder)
    folder.release()
  }
}

/** @throws BAD_REQUEST the folder holds no data */
export function requireDatabase(data: string): void {
  if (existsSync(databaseIn(data))) return
  throw badRequest(`There is no organization in ${resolve(data)}: "parley init" creates one.`)
}

/**
 * A command that only reads must not migrate the folder, which earlier versions would then refuse.
 */
function requireCurrent({ path, database }: DataFolder): void {
  if (readSchema(database).pending === 0) return
  throw badRequest(
    `The database in ${path} is from an earlier version. Start the server once, which backs it up ` +
      'and migrates it, and run this again.',
  )
}

/** @throws the refusal where no server answers */
async function askServer(
  refusal: FolderInUse,
  data: string,
  command: string,
  args: unknown,
  task: Task,
): Promise<CommandResult> {
  const server = readControlFile(data)
  if (!server) throw refusal
  const response = await fetch(server.url + controlPath, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ command, args }),
    signal: task.signal,
  }).catch(() => {
    task.signal.throwIfAborted()
    throw refusal
  })
  if (!response.ok || !response.body) throw refusal
  const lines = createInterface({ input: Readable.fromWeb(response.body as ReadableStream) })
  for await (const line of lines) {
    if (line === '') continue
    const said: unknown = JSON.parse(line)
    if (v.is(progress, said)) task.report(said.step, said.done, said.total)
    else return ended(v.parse(reply, said))
  }
  task.signal.throwIfAborted()
  throw badRequest('The server stopped before the command was done.')
}

function ended({ msg, output, failed = false }: v.InferOutput<typeof reply>): CommandResult {
  if (output === undefined) throw badRequest(msg)
  return { output, failed }
}
