import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file system of its own that can be filled. */
export interface SmallDisk {
  readonly folder: string
  /** Leaves no byte free but `spare`, until the returned function is called. */
  fill(spare?: number): () => void
  remove(): void
}

/** @returns undefined where file systems cannot be mounted: that takes Linux and root */
export function mountSmallDisk(mebibytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'parley-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder], {
      stdio: 'ignore',
    })
  } catch {
    rmSync(folder, { recursive: true })
    return undefined
  }
  return {
    folder,
    fill(spare = 0) {
      const files = ['ballast', 'spare'].map((name) => join(folder, name))
      const [ballast = '', spared = ''] = files
      write(spared, spare)
      write(ballast, Number.POSITIVE_INFINITY)
      rmSync(spared)
      return () => rmSync(ballast)
    },
    remove() {
      execFileSync('umount', ['-l', folder])
      rmSync(folder, { recursive: true })
    },
  }
}

/** Writes that many bytes, or as many as there is room for. */
function write(path: string, bytes: number): void {
  const file = openSync(path, 'w')
  try {
    for (let left = bytes; left > 0; ) left -= writeSync(file, Buffer.alloc(Math.min(left, 4096)))
  } catch {
    // Full, as it should be.
  }
  closeSync(file)
}
