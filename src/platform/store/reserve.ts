import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Room for what a server writes when it stops, in bytes. */
const reserveBytes = 16 * 1024 * 1024

/**
 * Keeps room on the disk with a file in the data folder, so that a server on a full disk can still
 * save its event queues when it stops. The next start fills it again.
 */
export function keepReserve(folder: string): { release(): void } {
  const file = join(folder, 'reserve')
  try {
    if (sizeOf(file) < reserveBytes)
      writeFileSync(file, Buffer.alloc(reserveBytes), { mode: 0o600 })
  } catch {
    // There is less room than that: what was written of the file is the reserve.
  }
  return { release: () => rmSync(file, { force: true }) }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
