import { getTableName } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Steps } from '#platform/steps.ts'
import type { Db } from './open.ts'
import { perDatabase } from './per-database.ts'
import type { Read } from './store.ts'

/** A table, or some columns of its rows. */
export type Source = SQLiteTable | Columns

interface Columns {
  readonly table: SQLiteTable
  /** As they are named in the database. */
  readonly columns: readonly string[]
}

/**
 * Only these columns of a table, besides which rows there are.
 *
 * @param columns as they are named in the database
 */
export function columnsOf(table: SQLiteTable, ...columns: string[]): Columns {
  return { table, columns }
}

/** How often each watched source of a database has changed, and all of them together. */
const changes = perDatabase((db) => {
  const state = { all: 0, counts: new Map<string, number>() }
  db.$client.function('count_change', (source) => {
    state.all += 1
    state.counts.set(String(source), (state.counts.get(String(source)) ?? 0) + 1)
    return null
  })
  return state
})

function nameOf(source: Source): string {
  return 'columns' in source
    ? `${getTableName(source.table)}(${source.columns.join()})`
    : getTableName(source)
}

/**
 * Counts each change of a row in a source from now on, including those that are rolled back later.
 */
function watch(db: Db, source: Source): void {
  const name = nameOf(source)
  const [table, update] =
    'columns' in source
      ? [getTableName(source.table), `UPDATE OF ${source.columns.join()}`]
      : [name, 'UPDATE']
  for (const change of ['INSERT', update, 'DELETE']) {
    db.$client.exec(
      `CREATE TEMP TRIGGER "count ${change} ${name}" AFTER ${change} ON main.${table}
       BEGIN SELECT count_change('${name}'); END`,
    )
  }
}

/**
 * Keeps what is read from whole tables until one of them changes: for values that many callers
 * share and that take long to make.
 *
 * @param sources every table that `build` reads
 * @param build must not depend on the clock; gets what it made before of the same key, if that is
 * still there, to take over what has not changed
 * @param most how many values to keep, of different keys
 */
export function derived<K extends string, T>(
  sources: readonly Source[],
  build: (read: Read, key: K, before: T | undefined) => T,
  most: number,
): (read: Read, key: K) => T {
  const watched = sources.map((source) => ({ name: nameOf(source), source }))
  const state = perDatabase(() => ({
    /**
     * The number of all changes at the time when `at`, the number of changes of these sources, was
     * counted.
     */
    checked: -1,
    at: 0,
    values: new Map<K, { at: number; value: T }>(),
  }))
  return (read, key) => {
    const own = state(read)
    const { all, counts } = changes(read)
    if (own.checked === all) {
      // Nothing at all has changed since: not in a transaction that is open, either.
      const known = own.values.get(key)
      if (known?.at === own.at) return known.value
    }
    // Within a transaction, the trigger and the value could be rolled back.
    if (read.db.$client.inTransaction) return build(read, key, undefined)
    if (own.checked !== all) {
      for (const { name, source } of watched) {
        if (counts.has(name)) continue
        watch(read.db, source)
        counts.set(name, 0)
      }
      own.at = watched.reduce((sum, { name }) => sum + (counts.get(name) ?? 0), 0)
      own.checked = all
    }
    const { at, values } = own
    const known = values.get(key)
    if (known?.at === at) return known.value
    const value = build(read, key, known?.value)
    values.delete(key)
    const [oldest] = values.keys()
    if (oldest !== undefined && values.size >= most) values.delete(oldest)
    values.set(key, { at, value })
    return value
  }
}

/**
 * Work in steps that fills caches of what is read from whole tables. It is done again only when one
 * of them has changed.
 *
 * @param sources every table that `work` reads
 * @param most how many keys to remember
 */
export function derivedSteps<K extends string>(
  sources: readonly Source[],
  work: (read: Read, key: K) => Steps<void>,
  most: number,
): (read: Read, key: K) => Steps<void> {
  const progress = derived(sources, (_read, _key: K) => ({ isDone: false }), most)
  return function* (read, key) {
    const own = progress(read, key)
    if (own.isDone) return
    yield* work(read, key)
    own.isDone = true
  }
}
