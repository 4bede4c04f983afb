import { texts } from '#translations/translate.ts'

/** The tables of a report, in order, and their names for people. */
export const tableNames = texts({
  people: 'People',
  groups: 'Groups',
  'channel folders': 'Channel folders',
  channels: 'Channels',
  subscriptions: 'Subscriptions',
  'custom emoji': 'Custom emoji',
  pictures: 'Pictures',
  files: 'Files',
  conversations: 'Conversations',
  threads: 'Threads',
  messages: 'Messages',
  edits: 'Edits',
  reactions: 'Reactions',
  flags: 'Flags',
  widgets: 'Polls and to-do lists',
  settings: 'Settings',
  linkifiers: 'Linkifiers',
  playgrounds: 'Code playgrounds',
  domains: 'Domains',
  'profile fields': 'Custom profile fields',
  'topic settings': 'Topic settings',
  'muted people': 'Muted people',
  'alert words': 'Alert words',
  presence: 'Availability',
  statuses: 'Statuses',
  snippets: 'Saved snippets',
  'sidebar views': 'Sidebar views',
  'scheduled messages': 'Scheduled messages',
  reminders: 'Reminders',
  other: 'Other',
})

const tables = Object.keys(tableNames) as Table[]

export type Table = keyof typeof tableNames

/** Why something was changed or left out. A source adds its own reasons. */
export const reasons = texts({
  absent: 'the object that it belongs to is not in the export',
  'archived-copy': 'the archive has another entry with the same name',
  'bad-date': 'its date is out of range',
  'bad-emoji': 'its emoji is unknown',
  'bad-encoding': 'it is not valid UTF-8',
  'future-date': 'its date was in the future, and is now that of the import',
  'bad-picture': 'its picture cannot be read',
  'bad-value': 'a value is missing or has the wrong type',
  'cut-off': 'the file is damaged or truncated from there on',
  cut: 'it was longer than allowed and was cut',
  duplicate: 'it occurs twice',
  encrypted: 'it is encrypted, and only its readers have the key',
  empty: 'it contains nothing that Parley shows',
  'link-in-archive': 'a link inside the archive is ignored',
  'missing-file': 'the file is not in the export',
  'newer-version': 'it is from a newer version, whose additions Parley does not know yet',
  'new-name': 'its name was taken or is not allowed',
  'no-access': 'the export was not allowed to include it',
  'no-address': 'the export has no address for it',
  'no-place': 'Parley has no equivalent',
  'not-downloaded': 'it could not be downloaded',
  'not-json': 'it is not valid JSON',
  'other-export': 'it is a further export, and only one is imported at a time',
  'other-team': 'it belongs to another team or server',
  'older-order': 'its date is before that of an earlier message',
  'older-version':
    'it is from an older version, and settings that had another form there have their default',
  'other-server': 'it belongs to the server, not to the organization',
  placeholder: 'its author is not in the export',
  removed: 'it was deleted, or hidden by a limit, before the export was made',
  'split-up': 'it was longer than a message can be, and was split',
  'system-message': 'it is a system message, for example about someone joining',
  'unknown-table': 'this version of Parley does not know its type',
  'unread-file': 'the file has nothing that is imported',
  'too-large': 'it is larger than the limit for files',
  'too-long': 'it is longer than the limit for a line or a row',
})

export type Reason = keyof typeof reasons

/** How many examples of each reason are kept. */
const mostExamples = 5
const longestExample = 100

interface Count {
  count: number
  readonly examples: string[]
}

interface TableCounts {
  imported: number
  toFetch: number
  /** The result of the first one that was fetched. */
  tried: Reason | 'fetched' | undefined
  readonly changed: Map<Reason, Count>
  readonly skipped: Map<Reason, Count>
}

/** The part of the report about a table, as JSON. */
export interface TableReport {
  readonly read: number
  readonly imported: number
  /**
   * What an import would have to fetch from the other system, which a trial does not, but for one:
   * what became of that. None of them counts as imported.
   */
  readonly toFetch?: { readonly count: number; readonly tried: Reason | 'fetched' }
  readonly changed: Partial<Record<Reason, { count: number; examples: string[] }>>
  readonly skipped: Partial<Record<Reason, { count: number; examples: string[] }>>
}

/**
 * Counts what was imported, changed and left out.
 *
 * Examples are keys, names of files or names of fields, never text of messages, addresses or tokens.
 */
export class Notes {
  readonly #tables = new Map<Table, TableCounts>()

  /** For the writer: everything that a source yields is counted here or skipped. */
  imported(table: Table, count = 1): void {
    this.#of(table).imported += count
  }

  /** For a trial: something would be fetched. `tryOne` is for the first of a table, and says how that went. */
  async toFetch(table: Table, tryOne: () => Promise<Reason | 'fetched'>): Promise<void> {
    const counts = this.#of(table)
    counts.toFetch++
    counts.tried ??= await tryOne()
  }

  /** Something was imported with changes. */
  changed(table: Table, reason: Reason, example?: string, count = 1): void {
    add(this.#of(table).changed, reason, example, count)
  }

  /** Something was left out. */
  skipped(table: Table, reason: Reason, example?: string, count = 1): void {
    add(this.#of(table).skipped, reason, example, count)
  }

  /** What was counted, in the order of `tables`; without tables of which there was nothing. */
  tables(): Readonly<Partial<Record<Table, TableReport>>> {
    const found = tables.flatMap((name) => {
      const counts = this.#tables.get(name)
      if (!counts) return []
      const { changed, imported, skipped, toFetch, tried } = counts
      let read = imported + toFetch
      for (const { count } of skipped.values()) read += count
      const report: TableReport = {
        read,
        imported,
        ...(tried !== undefined && { toFetch: { count: toFetch, tried } }),
        changed: plain(changed),
        skipped: plain(skipped),
      }
      return [[name, report] as const]
    })
    return Object.fromEntries(found)
  }

  #of(table: Table): TableCounts {
    let counts = this.#tables.get(table)
    if (!counts) {
      counts = {
        imported: 0,
        toFetch: 0,
        tried: undefined,
        changed: new Map(),
        skipped: new Map(),
      }
      this.#tables.set(table, counts)
    }
    return counts
  }
}

function add(to: Map<Reason, Count>, reason: Reason, example: string | undefined, count: number) {
  const known = to.get(reason) ?? { count: 0, examples: [] }
  to.set(reason, known)
  known.count += count
  if (!example || known.examples.length >= mostExamples) return
  const short = example.slice(0, longestExample).toWellFormed()
  if (!known.examples.includes(short)) known.examples.push(short)
}

function plain(counts: ReadonlyMap<Reason, Count>) {
  return Object.fromEntries(
    [...counts].sort().map(([reason, { count, examples }]) => [reason, { count, examples }]),
  )
}
