import type { Options } from 'better-sqlite3'

/**
 * Returns better-sqlite3's native addon; `undefined` lets the package find it. The build replaces
 * this module by one that unpacks and loads the addon it contains, and returns the loaded object,
 * which the package accepts although its types allow only a path.
 */
export function loadAddon(): Options['nativeBinding'] {
  return undefined
}

/** The file that worker threads load the addon from; undefined lets the package find it. */
export function addonFile(): string | undefined {
  return undefined
}
