import type { Options } from 'better-sqlite3'

/**
 * better-sqlite3's native part: `undefined` leaves finding it to the package. The build replaces
 * this module by one that unpacks and loads the addon it carries, and returns that object, which
 * the package takes as well as the path that its types know.
 */
export function loadAddon(): Options['nativeBinding'] {
  return undefined
}
