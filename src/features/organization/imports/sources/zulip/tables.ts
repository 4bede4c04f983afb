import * as v from 'valibot'
import type { Archive } from '#features/organization/imports/archive/archive.ts'
import { jsonRows } from '#features/organization/imports/reading/json-rows.ts'
import type { Table } from '#features/organization/imports/report.ts'
import type { Reading } from '#features/organization/imports/source.ts'

/** The file of all tables but those of messages. */
export const realmFile = 'realm.json'

/** Whether `realm.json` has a table, even an empty one. */
export async function hasTable({ read }: Archive, table: string): Promise<boolean> {
  let isThere = false
  const options = {
    wanted(list: string) {
      isThere ||= list === table
      return isThere
    },
    bad: () => {},
  }
  // The first row of the table, or of one after it, is enough.
  for await (const _ of jsonRows(read(realmFile), options)) break
  return isThere
}

/**
 * Reads rows of some tables of a file; rows that are not as they should be are skipped.
 *
 * @param onTable gets the name of each table in the file
 * @param wanted the name of each table's rows in the report, and their schema
 */
export async function* tableRows<S extends Readonly<Record<string, v.GenericSchema>>>(
  { archive, notes }: Reading,
  file: string,
  wanted: { readonly [N in keyof S]: readonly [Table, S[N]] },
  onTable: (name: string) => void = () => {},
): AsyncGenerator<{ [N in keyof S]: { table: N; row: v.InferOutput<S[N]> } }[keyof S]> {
  let table: keyof S | undefined
  const options = {
    wanted(list: string) {
      onTable(list)
      table = Object.hasOwn(wanted, list) ? list : undefined
      return table !== undefined
    },
    bad: (reason: Parameters<typeof notes.skipped>[1]) => {
      const as = table === undefined ? 'other' : (wanted[table]?.[0] ?? 'other')
      if (reason === 'bad-encoding') notes.changed(as, reason, file)
      else notes.skipped(as, reason, file)
    },
  }
  for await (const { list, value } of jsonRows(archive.read(file), options)) {
    const [as, schema] = wanted[list as keyof S] ?? []
    if (!as || !schema) continue
    const found = v.safeParse(schema, value)
    if (found.success) yield { table: list as keyof S, row: found.output } as never
    else notes.skipped(as, 'bad-value', mistake(list, value, found.issues))
  }
}

/** The place of a mistake in a row, without its value. */
function mistake(table: string, value: unknown, issues: readonly v.BaseIssue<unknown>[]): string {
  const { id } = (value ?? {}) as { id?: unknown }
  const path = issues[0]?.path?.map(({ key }) => String(key)).join('.') ?? ''
  return `${table}${typeof id === 'number' ? ` ${id}` : ''}: ${path}`
}
