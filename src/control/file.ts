import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'

const shape = v.object({ url: v.string(), secret: v.string() })

/** Where the server that runs on a data folder takes commands, and what proves the right to them. */
export type ControlFile = v.InferOutput<typeof shape>

const nameIn = (folder: string) => join(folder, 'control.json')

/** Nobody but the folder's owner may read it. */
export function writeControlFile(folder: string, control: ControlFile): void {
  rmSync(nameIn(folder), { force: true })
  writeFileSync(nameIn(folder), JSON.stringify(control), { mode: 0o600 })
}

export function removeControlFile(folder: string): void {
  rmSync(nameIn(folder), { force: true })
}

/** Undefined while there is none, or what is there is not one. */
export function readControlFile(folder: string): ControlFile | undefined {
  try {
    const content: unknown = JSON.parse(readFileSync(nameIn(folder), 'utf8'))
    return v.is(shape, content) ? content : undefined
  } catch {
    return undefined
  }
}
