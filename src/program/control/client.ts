import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import * as v from 'valibot'
import { badRequest } from '#platform/errors.ts'
import {
  type DataFolder,
  databaseIn,
  openFolder,
  requireNothingLost,
} from '#platform/store/folder.ts'
import { FolderInUse } from '#platform/store/refusals.ts'
import { openContext, restoreQueues, type ServerOptions } from '#program/server.ts'
import { type CommandArgs, type CommandName, runCommand } from './commands.ts'
import { readControlFile } from './file.ts'
import { controlPath } from './pages.ts'

const reply = v.object({ msg: v.string(), output: v.optional(v.string()) })

/**
 * Runs a command on a data folder: in the server that runs there, or in this process if none does.
 *
 * @returns the text to print
 * @throws BAD_REQUEST and other errors for the operator; FolderInUse the server does not answer
 */
export async function control<N extends CommandName>(
  options: Omit<ServerOptions, 'port'>,
  name: N,
  args: CommandArgs<N>,
): Promise<string> {
  if (name !== 'init' && !existsSync(databaseIn(options.data))) {
    const path = resolve(options.data)
    throw badRequest(`There is no organization in ${path}: "parley init" creates one.`)
  }
  const folder = lock(options.data)
  if (!folder) return await askServer(options.data, name, args)
  try {
    requireNothingLost(folder)
    const server = openContext(options, folder.database)
    try {
      // What the command changes is news to the clients that come back later.
      await restoreQueues(server)
      return await runCommand(server, name, args)
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

async function askServer(data: string, command: string, args: unknown): Promise<string> {
  const server = readControlFile(data)
  if (!server) throw new FolderInUse(data)
  const response = await fetch(server.url + controlPath, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ command, args }),
  }).catch(() => {
    throw new FolderInUse(data)
  })
  const { msg, output } = v.parse(reply, await response.json())
  if (output === undefined) throw badRequest(msg)
  return output
}
