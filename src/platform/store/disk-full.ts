/** The codes of SQLite and of the file system. */
const codes: readonly unknown[] = ['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'ENOSPC', 'EDQUOT']

/** Whether an error, or its cause, means that there is no room on the disk. */
export function isDiskFull(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown }
  return codes.includes(code) || isDiskFull(cause)
}
