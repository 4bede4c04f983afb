/** The emoji of states, one vocabulary for all services. */
export const signs = {
  alert: ':alert:',
  resolved: ':squared_ok:',
  info: ':info:',
  warning: ':warning:',
  good: ':thumbs_up:',
  bad: ':thumbs_down:',
  pending: ':counterclockwise:',
  checked: ':checkbox:',
  done: ':check:',
  failed: ':cross_mark:',
  started: ':running:',
  slow: ':time_ticking:',
  tada: ':tada:',
} as const

/** The value of a table that foreign text selects; undefined if it has none of its own. */
export function chosen<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}
