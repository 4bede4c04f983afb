/**
 * Where better-sqlite3 finds its native part: `undefined` leaves that to the package itself. The
 * build replaces this module by one that unpacks the addon from the bundle.
 */
export function loadAddon(): string | undefined {
  return undefined
}
