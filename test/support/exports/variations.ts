import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import Database from 'better-sqlite3'
import { bsonDocuments } from '#features/organization/imports/reading/bson.ts'
import type { Files } from './archives.ts'
import { bsonOf } from './bson.ts'

/** The contents of the files of an export, as values that can be changed. */
export type Documents = Readonly<Record<string, unknown>>

/** A way to take the files of an export apart, and to put them together again. */
export interface Form {
  parse(body: string | Uint8Array): Promise<unknown>
  format(document: unknown, original: string | Uint8Array): string | Uint8Array
}

const json: Form = {
  parse: async (body) => JSON.parse(String(body)),
  format: (document) => JSON.stringify(document) ?? '',
}

const lines: Form = {
  parse: async (body) =>
    String(body)
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line)),
  format: (document) =>
    Array.isArray(document)
      ? document.map((each) => `${JSON.stringify(each)}\n`).join('')
      : (JSON.stringify(document) ?? ''),
}

const bson: Form = {
  async parse(body) {
    const documents: unknown[] = []
    for await (const each of bsonDocuments(Readable.from([Buffer.from(body)]), () => {})) {
      documents.push(withoutUnknown(each))
    }
    return documents
  },
  format: (document) =>
    bsonOf(...(Array.isArray(document) ? document : []).filter((each) => isObject(each))),
}

/** Without what JavaScript has no value for. */
function withoutUnknown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUnknown)
  if (!isObject(value)) return value
  const isKnown = (each: unknown) =>
    each !== undefined && !(each instanceof Date && Number.isNaN(each.getTime()))
  const known = Object.entries(value).filter(([, each]) => isKnown(each))
  return Object.fromEntries(known.map(([name, each]) => [name, withoutUnknown(each)]))
}

/** A database of SQLite: an object of tables. What no column can hold becomes text. */
const sqlite: Form = {
  parse: async (body) =>
    inDatabase(body, (db) =>
      Object.fromEntries(
        tablesOf(db).map((name) => [name, db.prepare(`SELECT * FROM "${name}"`).all()]),
      ),
    ),
  format: (document, original) =>
    inDatabase(original, (db, bytes) => {
      for (const name of tablesOf(db)) {
        const rows = isObject(document) ? document[name] : undefined
        if (rows === undefined) {
          db.exec(`DROP TABLE "${name}"`)
          continue
        }
        db.exec(`DELETE FROM "${name}"`)
        const columns = db.prepare(`SELECT name FROM pragma_table_info('${name}')`).pluck().all()
        for (const row of Array.isArray(rows) ? rows.filter(isObject) : []) {
          const values = columns.map((column) => storable(row[String(column)]))
          insert(db, name, values)
        }
      }
      return bytes()
    }),
}

/** The form of a file; undefined: it is not taken apart. */
export function formOf(path: string): Form | undefined {
  if (path.includes('_Files/')) return undefined
  if (path.endsWith('.json')) return json
  if (path.endsWith('.jsonl')) return lines
  if (path.endsWith('.bson') && !/chunks|\.files/.test(path)) return bson
  return path.endsWith('.sqlite3') ? sqlite : undefined
}

/** The files with other documents. */
export function filesWith(files: Files, documents: Documents): Files {
  const changed = Object.entries(documents).flatMap(([path, document]) => {
    const original = files[path]
    const form = formOf(path)
    return original === undefined || !form ? [] : [[path, form.format(document, original)] as const]
  })
  return { ...files, ...Object.fromEntries(changed) }
}

/** Where a value is in a document: names of members and places in lists. */
export type Place = readonly (string | number)[]

/** All places of a document, from the outside in. */
export function* placesIn(value: unknown, at: Place = []): Generator<Place> {
  yield at
  if (Array.isArray(value)) {
    for (const [i, each] of value.entries()) yield* placesIn(each, [...at, i])
  } else if (isObject(value)) {
    for (const [name, each] of Object.entries(value)) yield* placesIn(each, [...at, name])
  }
}

export function valueAt(document: unknown, [first, ...rest]: Place): unknown {
  if (first === undefined) return document
  return valueAt((document as Record<string | number, unknown>)[first], rest)
}

/** Stands for a value that is taken away. */
const nothing = Symbol('nothing')

/** A copy of a document with another value at a place. */
function replacedAt(document: unknown, [first, ...rest]: Place, value: unknown): unknown {
  if (first === undefined) return value
  const inner = rest.length === 0 ? value : replacedAt(valueAt(document, [first]), rest, value)
  if (Array.isArray(document)) {
    const twice = inner instanceof Twice ? [inner.value, inner.value] : [inner]
    return document.flatMap((each, i) =>
      i !== first ? [each] : inner === nothing ? [] : (twice as unknown[]),
    )
  }
  const { [first]: _, ...others } = document as Record<string, unknown>
  return inner === nothing || inner instanceof Twice ? others : { ...others, [first]: inner }
}

class Twice {
  readonly value: unknown

  constructor(value: unknown) {
    this.value = value
  }
}

const isTime = (value: unknown) => Number(value) > 1e8 && Number(value) < 1e14

const times: Readonly<Record<string, (time: number) => number>> = {
  'at time 0': () => 0,
  'in the future': (time) => time * 1.5,
  'in milliseconds': (time) => time * 1000,
}

/** What may be in place of a value, by what that is called. */
function othersOf(value: unknown): Readonly<Record<string, unknown>> {
  const found: Record<string, unknown> = { missing: nothing, null: null }
  if (typeof value === 'string') {
    Object.assign(found, { empty: '', 'a number': 7, 'a list': [value], huge: huge(value) })
  } else if (Array.isArray(value)) {
    const many = Array.from({ length: 50 }, () => value).flat()
    Object.assign(found, { empty: [], 'an object': {}, huge: many, shuffled: value.toReversed() })
  } else if (typeof value === 'object' && value !== null) {
    Object.assign(found, { empty: {}, 'a text': 'text', twice: new Twice(value) })
  } else Object.assign(found, { 'a text': 'text', huge: 1e15, negative: -1, 'a list': [] })
  if (isTime(value)) {
    for (const [name, change] of Object.entries(times)) {
      const changed = change(Number(value))
      found[name] = typeof value === 'string' ? changed.toFixed(6) : changed
    }
  }
  return found
}

/** The value that the member has in the next row of a list, or in the one before. */
function ofNeighbor(document: unknown, place: Place): Readonly<Record<string, unknown>> {
  const [row, member = ''] = place.slice(-2)
  if (typeof row !== 'number') return {}
  const rows = valueAt(document, place.slice(0, -2)) as readonly unknown[]
  const next = rows[row + 1] ?? rows[row - 1]
  const value = isObject(next) ? next[member] : undefined
  const isOther = value !== undefined && value !== valueAt(document, place)
  return isOther && typeof value !== 'object' ? { 'as its neighbor': value } : {}
}

const huge = (text: string) => `${text} ${'long '.repeat(5000)}`

/** A changed export, and what was changed. */
export interface Variation {
  readonly name: string
  /** The path of the file in which something is changed. */
  readonly path: string
  /** Whether it is the file as a whole. */
  readonly isWhole: boolean
  make(files: Files, documents: Documents): { readonly files: Files; readonly documents: Documents }
}

/**
 * Every value of every file as nothing, as something else and as in another row, and every file absent
 * or elsewhere.
 */
export function* variationsOf(documents: Documents): Generator<Variation> {
  for (const [path, document] of Object.entries(documents)) {
    for (const [name, move] of Object.entries(moves)) {
      yield {
        name: `${path} ${name}`,
        path,
        isWhole: true,
        make(files, all) {
          const { [path]: body = '', ...others } = filesWith(files, all)
          const { [path]: _, ...rest } = all
          return { files: move(others, path, body), documents: rest }
        },
      }
    }
    for (const place of placesIn(document)) {
      const others = { ...othersOf(valueAt(document, place)), ...ofNeighbor(document, place) }
      for (const [name, value] of Object.entries(others)) {
        if (place.length === 0 && (value === nothing || value instanceof Twice)) continue
        yield {
          name: `${path} ${place.join('.')} ${name}`,
          path,
          isWhole: place.length === 0,
          make(files, all) {
            const changed = { ...all, [path]: replacedAt(all[path], place, value) }
            return { files: filesWith(files, changed), documents: changed }
          },
        }
      }
    }
  }
}

const moves: Readonly<
  Record<string, (others: Files, path: string, body: string | Uint8Array) => Files>
> = {
  absent: (others) => others,
  'in another folder': (others, path, body) => ({ ...others, [`further/${path}`]: body }),
  'in another form of Unicode': (others, path, body) => ({
    ...others,
    [path.normalize('NFD')]: body,
  }),
  'cut off': (others, path, body) => ({
    ...others,
    [path]: Buffer.from(body).subarray(0, Buffer.byteLength(body) >> 1),
  }),
}

function isObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function storable(value: unknown): unknown {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' || typeof value === 'number' || value instanceof Uint8Array) {
    return value
  }
  return JSON.stringify(value)
}

/** A key that is no number, or is taken, cannot be in a database, so such a row gets the next one. */
function insert(db: Database.Database, table: string, values: readonly unknown[]): void {
  const marks = values.map(() => '?').join()
  const add = db.prepare(`INSERT OR IGNORE INTO "${table}" VALUES (${marks})`)
  try {
    if (add.run(...values).changes > 0) return
  } catch (error) {
    if ((error as { code?: string }).code !== 'SQLITE_MISMATCH') throw error
  }
  add.run(null, ...values.slice(1))
}

const tablesOf = (db: Database.Database) =>
  db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all().map(String)

function inDatabase<T>(
  body: string | Uint8Array,
  use: (db: Database.Database, bytes: () => Buffer) => T,
): T {
  const folder = mkdtempSync(join(tmpdir(), 'parley-variation-'))
  const path = join(folder, 'copy.sqlite3')
  writeFileSync(path, body)
  const db = new Database(path)
  try {
    return use(db, () => {
      db.close()
      return readFileSync(path)
    })
  } finally {
    db.close()
    rmSync(folder, { recursive: true })
  }
}
