import type { Database, RunResult } from 'better-sqlite3'

/** A statement whose parameters are the members of an object. */
export interface NamedStatement<Row> {
  run(values: object): RunResult
  get(values: object): Row | undefined
  all(values: object): Row[]
  iterate(values: object): IterableIterator<Row>
}

/** Texts, names and comments, which stay as they are, or a parameter. */
const parts = /'[^']*'|"[^"]*"|`[^`]*`|--[^\n]*|@(\w+)/g

/** The same SQL with `?` for each `@name`, and the names in the order of their values. */
export function byPosition(source: string): { source: string; names: string[] } {
  const names: string[] = []
  const positional = source.replace(parts, (all, name?: string) => {
    if (name === undefined) return all
    names.push(name)
    return '?'
  })
  return { source: positional, names }
}

/**
 * Prepares a statement with parameters such as `@name`, and binds them by their position: by their
 * names, the driver looks each of them up twice through the interface of Node, which takes as long
 * as a look into an index. The values may have members that the statement does not name.
 *
 * @throws TypeError when it runs without one of its values
 */
export function prepareNamed<Row>(client: Database, named: string): NamedStatement<Row> {
  const { source, names } = byPosition(named)
  const statement = client.prepare<unknown[], Row>(source)
  const bound = (values: object): unknown[] => {
    const given = values as Readonly<Record<string, unknown>>
    const list: unknown[] = []
    for (const name of names) {
      const value = given[name]
      if (value === undefined && !(name in given)) throw new TypeError(`There is no @${name}.`)
      list.push(value)
    }
    return list
  }
  return {
    run: (values) => statement.run(...bound(values)),
    get: (values) => statement.get(...bound(values)),
    all: (values) => statement.all(...bound(values)),
    iterate: (values) => statement.iterate(...bound(values)),
  }
}
