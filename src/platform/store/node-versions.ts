/**
 * Whether this release of Node may end the process: since 24.19 it does so where V8 frees a prepared
 * statement of better-sqlite3 12 while no JavaScript runs. Version 13 is mended, but needs more than
 * Node 20.
 */
export function mayAbort(version = process.versions.node): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 24 || (major === 24 && minor >= 19)
}
