import { chmodSync, closeSync, existsSync, openSync } from 'node:fs'

/**
 * Creates a database file that only its owner can read, or restricts an existing one to that.
 * SQLite creates the files beside it (`-wal`, `-shm`, `-journal`) with the same permissions.
 *
 * @source SQLite, "Write-Ahead Logging", and os_unix.c, `findCreateFileMode`
 */
export function makePrivate(database: string): void {
  closeSync(openSync(database, 'a', 0o600))
  for (const suffix of ['', '-wal', '-shm', '-journal']) {
    if (existsSync(database + suffix)) chmodSync(database + suffix, 0o600)
  }
}
