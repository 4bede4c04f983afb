import { dirname } from 'node:path'
import { isDiskFull } from './disk-full.ts'
import type { Holder } from './holder.ts'

/** Why a data folder cannot be used. The message is for the operator. */
export class DataRefused extends Error {}

/** Another process, or another server in this process, uses the folder. */
export class FolderInUse extends DataRefused {
  readonly holder: Holder | undefined

  /** @param holder undefined: not known */
  constructor(path: string, holder?: Holder) {
    super(`The data folder ${path} is in use by ${described(holder)}.`)
    this.holder = holder
  }
}

function described(holder: Holder | undefined): string {
  const { command, pid, since } = holder ?? {}
  const who = command === undefined ? 'a running Parley' : `"parley ${command}"`
  if (pid === undefined || since === undefined) return who
  const time = since.toISOString().slice(0, 19).replace('T', ' ')
  return `${who} (process ${pid}, since ${time} UTC)`
}

/** The file is not a database of Parley, or is too damaged to tell. */
export class NotOurs extends DataRefused {}

/** For an error of a damaged database, one with its file and what to do; any other stays as it is. */
export function damaged(file: string, error: unknown): unknown {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: string }
  if (error instanceof DataRefused || !/^SQLITE_(CORRUPT|NOTADB|IOERR)/.test(String(code))) {
    return error
  }
  if (isDiskFull(error)) return error
  return new DataRefused(
    `${file} is damaged: ${message}. Run "parley check --data ${dirname(file)}" to see what is lost, ` +
      'or restore a backup.',
    { cause: error },
  )
}

const forbidden = ['EACCES', 'EPERM', 'EROFS', 'SQLITE_READONLY', 'SQLITE_CANTOPEN']

/**
 * Explains an error to the operator: a full disk and missing permissions in plain words, other
 * errors by their own message.
 *
 * @param path what was to be written, if the error does not say
 */
export function explain(error: unknown, path?: string): string {
  if (!(error instanceof Error)) return String(error)
  // The code of a program that failed is a number.
  const { code: found = '', path: own = path } = error as NodeJS.ErrnoException
  const code = String(found)
  const at = own === undefined ? '' : ` (${own})`
  if (isDiskFull(error)) return `The disk is full${at}.`
  if (forbidden.some((each) => code.startsWith(each))) {
    return own === undefined ? `No permission: ${error.message}` : `No permission to write ${own}.`
  }
  return error.message
}
