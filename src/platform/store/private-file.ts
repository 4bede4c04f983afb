import { chmodSync, closeSync, existsSync, openSync } from 'node:fs'

/**
 * Creates a database file that only its owner can read, or restricts an existing one to that.
 * SQLite creates the files beside it (`-wal`, `-shm`, `-journal`) with the same permissions.
 *
 * An existing file is not opened: closing it would end the locks that this process holds on it.
 *
 * @source SQLite, "Write-Ahead Logging", and os_unix.c, `findCreateFileMode`; "How To Corrupt An
 *   SQLite Database File", 2.2
 */
export function makePrivate(database: string): void {
  if (!existsSync(database)) closeSync(openSync(database, 'a', 0o600))
  for (const suffix of ['', '-wal', '-shm', '-journal']) {
    if (existsSync(database + suffix)) chmodSync(database + suffix, 0o600)
  }
}
