import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'

const shape = v.object({ url: v.string(), secret: v.string() })

/** The URL of the server that runs on a data folder, and the secret that authorizes commands. */
export type ControlFile = v.InferOutput<typeof shape>

const nameIn = (folder: string) => join(folder, 'control.json')

/** Writes the file, readable only by the folder's owner. */
export function writeControlFile(folder: string, control: ControlFile): void {
  rmSync(nameIn(folder), { force: true })
  writeFileSync(nameIn(folder), JSON.stringify(control), { mode: 0o600 })
}

export function removeControlFile(folder: string): void {
  rmSync(nameIn(folder), { recursive: true, force: true })
}

/** Returns undefined if the file is missing or malformed. */
export function readControlFile(folder: string): ControlFile | undefined {
  try {
    const content: unknown = JSON.parse(readFileSync(nameIn(folder), 'utf8'))
    return v.is(shape, content) ? content : undefined
  } catch {
    return undefined
  }
}
