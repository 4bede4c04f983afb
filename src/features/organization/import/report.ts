/** What a report counts: the things of an organization, as people call them. */
export const tables = [
  'people',
  'groups',
  'channel folders',
  'channels',
  'subscriptions',
  'custom emoji',
  'pictures',
  'files',
  'conversations',
  'threads',
  'messages',
  'edits',
  'reactions',
  'flags',
  'widgets',
  'settings',
  'linkifiers',
  'playgrounds',
  'domains',
  'profile fields',
  'topic settings',
  'muted people',
  'alert words',
  'presence',
  'statuses',
  'snippets',
  'sidebar views',
  'scheduled messages',
  'reminders',
  'other',
] as const

export type Table = (typeof tables)[number]

/** Why something was changed or left out. A source adds what only it can tell. */
export const reasons = {
  absent: 'what it belongs to is not in the export',
  'archived-copy': 'a second entry of the same name in the archive',
  'bad-date': 'its date is out of range',
  'bad-emoji': 'its emoji is not known',
  'bad-encoding': 'it is not valid UTF-8',
  'bad-picture': 'its picture cannot be read',
  'bad-value': 'a value is missing or of the wrong kind',
  'cut-off': 'the file is damaged or cut off from there on',
  cut: 'it was longer than allowed and was cut',
  duplicate: 'it was there twice',
  encrypted: 'only its readers have the key to it',
  empty: 'there was nothing in it that Parley shows',
  'link-in-archive': 'a link inside the archive is not followed',
  'missing-file': 'the file is not in the export',
  'newer-version': 'it is of a newer version, which may have what Parley does not know yet',
  'new-name': 'its name was taken or is not allowed',
  'no-access': 'the export was not allowed to have it',
  'no-address': 'the export has no address for it',
  'no-place': 'Parley has no place for it',
  'not-downloaded': 'it could not be downloaded',
  'not-json': 'it is not valid JSON',
  'other-team': 'it belongs to another team',
  'older-order': 'its date is before that of an earlier message',
  'other-server': 'it belongs to the server, not to the organization',
  placeholder: 'somebody who is not in the export wrote something',
  removed: 'it was deleted, or hidden by a limit, before the export was made',
  'split-up': 'it was longer than a message may be and became several',
  'system-message': 'the system wrote it, such as that somebody joined',
  'unknown-table': 'this version of Parley does not know what it is',
  'too-large': 'it is larger than a file may be',
  'too-long': 'it is longer than a line or a row may be',
} as const

export type Reason = keyof typeof reasons

/** So many examples of each reason are kept. */
const mostExamples = 5
const longestExample = 100

interface Count {
  count: number
  readonly examples: string[]
}

interface TableCounts {
  imported: number
  readonly changed: Map<Reason, Count>
  readonly skipped: Map<Reason, Count>
}

/** What the report says of a table, as JSON. */
export interface TableReport {
  readonly read: number
  readonly imported: number
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

  /** For the writer: everything else that a source yields ends up here, or is skipped. */
  imported(table: Table, count = 1): void {
    this.#of(table).imported += count
  }

  /** Something was imported otherwise than it was. */
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
      const { imported, changed, skipped } = counts
      let read = imported
      for (const { count } of skipped.values()) read += count
      return [[name, { read, imported, changed: plain(changed), skipped: plain(skipped) }] as const]
    })
    return Object.fromEntries(found)
  }

  #of(table: Table): TableCounts {
    let counts = this.#tables.get(table)
    if (!counts) {
      counts = { imported: 0, changed: new Map(), skipped: new Map() }
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
