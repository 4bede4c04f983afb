import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import * as v from 'valibot'
import { badRequest } from '#platform/errors.ts'
import { type DataFolder, databaseIn, openFolder } from '#platform/store/folder.ts'
import { FolderInUse } from '#platform/store/refusals.ts'
import { openContext, prepare, restoreQueues, type ServerOptions } from '#program/server.ts'
import { type Outcome, type Task, unwatched } from '#program/task.ts'
import { type CommandArgs, type CommandName, runCommand } from './commands.ts'
import { readControlFile } from './file.ts'
import { controlPath } from './pages.ts'

/** The lines that the server answers with: how far it is, and at last the reply. */
const progress = v.object({ step: v.string(), done: v.number(), total: v.number() })
const reply = v.object({
  msg: v.string(),
  output: v.optional(v.string()),
  failed: v.optional(v.boolean()),
})

/**
 * Runs a command on a data folder: in the server that runs there, or in this process if none does.
 *
 * @throws BAD_REQUEST and other errors for the operator; FolderInUse the server does not answer
 */
export async function control<N extends CommandName>(
  options: Omit<ServerOptions, 'port'>,
  name: N,
  args: CommandArgs<N>,
  task: Task = unwatched,
): Promise<Outcome> {
  if (name !== 'init' && !existsSync(databaseIn(options.data))) {
    const path = resolve(options.data)
    throw badRequest(`There is no organization in ${path}: "parley init" creates one.`)
  }
  const folder = lock(options.data)
  if (!folder) return await askServer(options.data, name, args, task)
  try {
    await prepare(folder, { ...options, task })
    const server = openContext({ ...options, task }, folder.database)
    try {
      // What the command changes is news to the clients that come back later.
      await restoreQueues(server)
      return await runCommand(server, name, args, task)
    } finally {
      server.queues.shutDown()
      server.store.close()
    }
  } finally {
    folder.release()
  }
}

/** Locks the data folder; returns undefined if a server runs on it. */
function lock(data: string): DataFolder | undefined {
  try {
    return openFolder(data)
  } catch (error) {
    if (error instanceof FolderInUse) return undefined
    throw error
  }
}

async function askServer(
  data: string,
  command: string,
  args: unknown,
  task: Task,
): Promise<Outcome> {
  const server = readControlFile(data)
  if (!server) throw new FolderInUse(data)
  const response = await fetch(server.url + controlPath, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ command, args }),
    signal: task.signal,
  }).catch(() => {
    task.signal.throwIfAborted()
    throw new FolderInUse(data)
  })
  if (!response.ok || !response.body) throw new FolderInUse(data)
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

function ended({ msg, output, failed = false }: v.InferOutput<typeof reply>): Outcome {
  if (output === undefined) throw badRequest(msg)
  return { output, failed }
}
