import { closeSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { isDiskFull } from './disk-full.ts'

/** Room for what a server writes when it starts and stops, in bytes. */
const reserveBytes = 16 * 1024 * 1024
/** With less room than this, opening a database may fail at any step, in bytes. */
const leastBytes = 4 * 1024 * 1024

const reserveIn = (folder: string) => join(folder, 'reserve')

/**
 * Keeps room on the disk with a file in the data folder, so that a server on a full disk can still
 * save its event queues when it stops, and start again. If little is left, half of it stays free
 * for other work.
 */
export function keepReserve(folder: string): void {
  const file = reserveIn(folder)
  try {
    const kept = sizeOf(file)
    const wanted = Math.min(reserveBytes, Math.floor((freeBytes(folder) + kept) / 2))
    if (kept < wanted) fill(file, wanted)
  } catch {
    // There is less room: the part that was written is the reserve.
  }
}

/** In pieces: the whole would stay in the memory of a new server. */
function fill(file: string, bytes: number): void {
  const piece = Buffer.alloc(64 * 1024)
  const to = openSync(file, 'w', 0o600)
  try {
    for (let left = bytes; left > 0; left -= piece.length) {
      writeSync(to, piece, 0, Math.min(piece.length, left))
    }
  } finally {
    closeSync(to)
  }
}

/** Deletes the reserve. @returns whether there was one */
export function releaseReserve(folder: string): boolean {
  const hadRoom = sizeOf(reserveIn(folder)) > 0
  rmSync(reserveIn(folder), { force: true })
  return hadRoom
}

/** Releases the reserve if the disk is all but full. */
export function makeRoom(folder: string, note: (text: string) => void): void {
  if (freeBytes(folder) < leastBytes && releaseReserve(folder)) note(released(folder))
}

/** Does something. If the disk is full, does it again with the room of the reserve. */
export function withRoom<T>(folder: string, note: (text: string) => void, act: () => T): T {
  try {
    return act()
  } catch (error) {
    if (!isDiskFull(error) || !releaseReserve(folder)) throw error
    note(released(folder))
    return act()
  }
}

const released = (folder: string) =>
  `The disk is full: ${reserveIn(folder)} was deleted to keep the server running. Free some disk space.`

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/**
 * Whether the disk of a database has at least so many free bytes, for work that can wait. A database
 * in memory always has.
 */
export function hasRoom({ memory, name }: Database, bytes: number): boolean {
  return memory || freeBytes(dirname(name)) >= bytes
}

/** What this process may still write on the disk of a folder. */
function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
