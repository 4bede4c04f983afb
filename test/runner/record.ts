import { appendFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WorkerRecord } from './messages.ts'

/** The variable of the environment by which a worker is told its file of records. */
export const recordVariable = 'TEST_RECORD'

/**
 * Says what a worker does, in a file: a message to its parent for each of ten thousand tests would
 * wake both. What was said before a crash is there after it.
 */
export function record(entry: WorkerRecord): void {
  const file = process.env[recordVariable]
  if (file) appendFileSync(file, `${JSON.stringify(entry)}\n`)
}

/** A worker's file of records, as its parent has it. */
export interface RecordFile {
  readonly path: string
  /** Reads what was said since the last time. */
  take(): WorkerRecord[]
  /** How much was said since the last time, in bytes. */
  size(): number
  remove(): void
}

let count = 0

/** Makes an empty file of records. */
export function createRecordFile(): RecordFile {
  count += 1
  const path = join(tmpdir(), `parley-tests-${process.pid}-${count}`)
  const empty = () => writeFileSync(path, '', { mode: 0o600 })
  empty()
  return {
    path,
    take() {
      // A worker that was killed may have left half a line.
      const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
      empty()
      return lines.map((line) => JSON.parse(line) as WorkerRecord)
    },
    size: () => statSync(path).size,
    remove: () => rmSync(path, { force: true }),
  }
}
