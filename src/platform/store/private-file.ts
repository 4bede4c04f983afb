import { chmodSync, closeSync, existsSync, openSync } from 'node:fs'

/**
 * Makes a database file that only its owner can read, or takes an existing one from everybody else.
 * SQLite gives the files beside it (`-wal`, `-shm`, `-journal`) the same rights when it makes them.
 *
 * @source SQLite, "Write-Ahead Logging", and os_unix.c, `findCreateFileMode`
 */
export function makePrivate(database: string): void {
  closeSync(openSync(database, 'a', 0o600))
  for (const suffix of ['', '-wal', '-shm', '-journal']) {
    if (existsSync(database + suffix)) chmodSync(database + suffix, 0o600)
  }
}
