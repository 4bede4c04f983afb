import { existsSync, mkdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { badRequest } from '#platform/errors.ts'
import { sentence } from '#translations/translate.ts'

/** An export that someone uploads, in parts. */
export interface InboxFile {
  /** As the uploader's computer has it. */
  readonly name: string
  /** In bytes. */
  readonly length: number
  /** How much has arrived, in bytes. */
  readonly received: number
  /** The file's path. */
  readonly path: string
}

/** The place of the one export that is being uploaded; a restart of the server leaves it there. */
export interface Inbox {
  /** The file that has been begun. */
  current(): InboxFile | undefined
  /** The largest file that may come, in bytes. */
  room(): number
  /**
   * Begins a file, in place of another unfinished one.
   *
   * @throws BAD_REQUEST it is empty, or larger than what the disk has room for
   */
  begin(name: string, length: number): Promise<InboxFile>
  /**
   * Appends data as it arrives; if the connection breaks, the data so far stays. A part that still
   * arrives from an earlier request is dropped.
   *
   * @returns undefined: the part does not begin where the file ends, or goes beyond its length
   */
  append(offset: number, body: AsyncIterable<Uint8Array>): Promise<InboxFile | undefined>
  remove(): void
}

/** In bytes: uploads leave this much of the disk free. */
const spared = 512 * 1024 * 1024

const facts = v.object({ name: v.string(), length: v.number() })

/** @param folder for nothing else; created when needed */
export function openInbox(folder: string): Inbox {
  return new UploadInbox(folder)
}

class UploadInbox implements Inbox {
  readonly #folder: string
  readonly #noteFile: string
  #busy: { readonly giveUp: AbortController; readonly done: Promise<unknown> } | undefined

  constructor(folder: string) {
    this.#folder = folder
    this.#noteFile = join(folder, 'upload.json')
  }

  current(): InboxFile | undefined {
    if (!existsSync(this.#noteFile)) return undefined
    try {
      const { length, name } = v.parse(facts, JSON.parse(readFileSync(this.#noteFile, 'utf8')))
      const path = this.#pathOf(name)
      return { length, name, path, received: statSync(path).size }
    } catch {
      return undefined
    }
  }

  room(): number {
    const { bavail, bsize } = statfsSync(
      existsSync(this.#folder) ? this.#folder : join(this.#folder, '..'),
    )
    return Math.max(0, bavail * bsize - spared)
  }

  async begin(name: string, length: number): Promise<InboxFile> {
    if (length === 0) throw badRequest(sentence('The file is empty.'))
    this.remove()
    if (length > this.room())
      throw badRequest(sentence('The server’s disk has no room for this file.'))
    const path = this.#pathOf(name)
    mkdirSync(join(this.#folder, 'file'), { recursive: true, mode: 0o700 })
    await writeFile(path, '', { mode: 0o600 })
    await writeFile(this.#noteFile, JSON.stringify({ name: name.slice(0, 255), length }), {
      mode: 0o600,
    })
    return { name, length, path, received: 0 }
  }

  async append(offset: number, body: AsyncIterable<Uint8Array>): Promise<InboxFile | undefined> {
    this.#busy?.giveUp.abort()
    await this.#busy?.done.catch(() => {})
    const file = this.current()
    if (!file || file.received !== offset) return undefined
    const giveUp = new AbortController()
    const done = this.#write(file, body, giveUp.signal)
    const own = { giveUp, done }
    this.#busy = own
    try {
      return (await done) ? this.current() : undefined
    } finally {
      if (this.#busy === own) this.#busy = undefined
    }
  }

  remove(): void {
    this.#busy?.giveUp.abort()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #pathOf(name: string) {
    // Sources only use the end of a name.
    const safe = name.replace(/[^\w.-]+/g, '_').slice(-80)
    return join(this.#folder, 'file', safe.replace(/^\.+/, '') || 'export')
  }

  async #write(
    file: InboxFile,
    body: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<boolean> {
    const target = await open(file.path, 'r+')
    try {
      let at = file.received
      for await (const part of body) {
        if (signal.aborted) break
        if (at + part.length > file.length) return false
        await target.write(part, 0, part.length, at)
        at += part.length
      }
      return true
    } finally {
      await target.close()
    }
  }
}
