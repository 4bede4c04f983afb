/** Of SQLite and of the file system. */
const codes: readonly unknown[] = ['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'ENOSPC', 'EDQUOT']

/** Whether something could not be written because there is no room on the disk. */
export function isDiskFull(error: unknown): boolean {
  return codes.includes((error as { readonly code?: unknown } | null)?.code)
}
