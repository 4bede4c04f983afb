import { mkdirSync, rmSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { indexLag, indexMessages } from '#features/foundation/core/indexing.queries.ts'
import { requireRealm } from '#features/foundation/realm/queries.ts'
import { insertImport } from '#features/messaging/old-links/queries.ts'
import { type Clock, seconds } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import { badRequest } from '#platform/errors.ts'
import { databaseIn } from '#platform/store/folder.ts'
import { checkDatabase } from '#platform/store/integrity.ts'
import { openDatabase } from '#platform/store/open.ts'
import type { Task } from '#platform/task.ts'
import { sentence, text } from '#translations/translate.ts'
import { type Archive, openArchive } from './archive/archive.ts'
import { watchReads } from './archive/unread.ts'
import { makeJoiningLinks } from './joining-links.actions.ts'
import {
  type Founder,
  type ImportedPerson,
  type NamedOwner,
  peopleOf,
  writeOwner,
} from './owner.actions.ts'
import { Notes } from './report.ts'
import type { Source, SourceOptions } from './source.ts'
import { findSource } from './sources.ts'
import type { Item } from './stream.ts'
import type { ImportReport } from './summary.ts'
import { beginBulk, dropLargeIndexes, endBulk, makeIndex } from './writer/bulk.queries.ts'
import { writeRealmPictures } from './writer/files.actions.ts'
import { createHandlers } from './writer/items.actions.ts'
import { writeMarks, writeMessages } from './writer/messages.actions.ts'
import { writeOrganization } from './writer/organization.actions.ts'
import { writeReading } from './writer/reading.actions.ts'
import { createSpool } from './writer/spool.queries.ts'
import { bulkFiles, createPause, openBulk, type Pause, type Work } from './writer/work.actions.ts'

export interface ImportOptions {
  /** The file or folder of the export. */
  readonly from: string
  /** An empty folder, in which the database and its files are made. */
  readonly into: string
  /** The name of the source; default: found by the files. */
  readonly format?: string | undefined
  /** The sources to choose from; default: all that there are. */
  readonly sources?: readonly Source[]
  /** Options that only some sources understand. */
  readonly source: SourceOptions
  /** Addresses by lower-cased keys and names of people. */
  readonly addresses?: ReadonlyMap<string, string>
  /** The person who becomes an owner, beside those of the export. */
  readonly owner?: NamedOwner
  /** The person who becomes an owner and can log in immediately. */
  readonly founder?: Founder | undefined
  /** Whether the owner is chosen later, from the people whom a trial finds. */
  readonly isOwnerChosenLater?: boolean
  /** Gets the people of the export, without bots and placeholders that are deactivated. */
  readonly onPeople?: (people: readonly ImportedPerson[]) => void
  /** The name of the organization; default: as in the export, or the source's. */
  readonly organization?: string | undefined
  /** The origin of the server, for links. */
  readonly realmUrl: string
  /** The server's: what texts may show, and where requests to the other system may go. */
  readonly config: Config
  readonly clock: Clock
  /** Whether only to see what an import would do: no file is kept. */
  readonly isTrial?: boolean
  /** Gets a link for each person who may log in, with which they choose a password once. */
  readonly onLink?: (person: { readonly email: string; readonly name: string }, url: string) => void
}

/**
 * Makes the database and the files of an organization from an export, in a folder of its own.
 * Nothing else changes; the caller deletes the folder if this fails. Other work of the process has
 * its turn every 20 ms, except while the indexes of a large export are made.
 *
 * @throws BAD_REQUEST the export cannot be used; the reason of the aborted signal
 */
export async function stageImport(options: ImportOptions, task: Task): Promise<ImportReport> {
  const { clock, from, into } = options
  const notes = new Notes()
  const scratch = join(into, 'scratch')
  mkdirSync(scratch, { recursive: true, mode: 0o700 })
  task.report(text('Opening the export'), 0, 0)
  const archive = await openArchive(from, { scratch, notes, signal: task.signal })
  try {
    const source = await findSource(archive, options.format, options.sources)
    requireUnderstood(source, options.source)
    const began = clock.elapsed()
    const report = await write(options, archive, source, notes, task)
    if (!options.isTrial) await requireWhole(into, task)
    const milliseconds = Math.round(clock.elapsed() - began)
    return { ...report, bytes: archive.progress.total, milliseconds }
  } finally {
    await archive.close()
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** @throws Error the new database is damaged, which would be our fault or the disk's */
async function requireWhole(into: string, task: Task): Promise<void> {
  task.signal.throwIfAborted()
  task.report(text('Checking the database'), 0, 0)
  const [problem] = await checkDatabase(databaseIn(into))
  if (problem !== undefined) throw new Error(`The imported database is damaged: ${problem}`)
  task.signal.throwIfAborted()
}

/** No option is ignored. @throws BAD_REQUEST */
function requireUnderstood({ options, title }: Source, given: SourceOptions): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || options.includes(name as keyof SourceOptions)) continue
    throw badRequest(
      sentence('Exports of {system} have no option {option}.', {
        system: title,
        option: JSON.stringify(name),
      }),
    )
  }
}

async function write(
  options: ImportOptions,
  archive: Archive,
  source: Source,
  notes: Notes,
  task: Task,
): Promise<Omit<ImportReport, 'bytes' | 'milliseconds'>> {
  const { addresses = new Map(), clock, config, into, isTrial = false, realmUrl } = options
  const file = databaseIn(into)
  const db = openDatabase(file)
  const pause = createPause(task, clock)
  try {
    beginBulk(db, join(into, 'scratch', 'spool'))
    createSpool(db)
    const indexes = dropLargeIndexes(db)
    const bulk = openBulk(db, { clock, config })
    const { commit, tx } = bulk
    const work: Work = {
      ...bulk,
      source,
      notes,
      task,
      realmUrl,
      files: isTrial ? undefined : bulkFiles(tx, into),
      people: new Map(),
      placeholders: new Set(),
      groups: new Map(),
      folders: new Map(),
      channels: new Map(),
      emoji: new Map(),
      fields: new Map(),
      colors: new Map(),
      addresses,
      last: { message: 0, presence: 0 },
      keepsIds: undefined,
      later: [],
    }
    const watched = watchReads(archive)
    await readItems(work, options, watched, pause, join(into, 'scratch'))
    for (const path of watched.unread()) notes.skipped('other', 'unread-file', path)
    for (const each of work.later) {
      each()
      await pause(
        text('Writing settings'),
        () => 0,
        () => 0,
      )
    }
    commit()
    await writeMessages(work, pause)
    commit()
    await writeMarks(work, pause)
    for (const [i, statement] of indexes.entries()) {
      task.report(indexing, i, indexes.length, true)
      makeIndex(db, statement)
      await pause(
        indexing,
        () => i + 1,
        () => indexes.length,
      )
    }
    await writeReading(work, pause)
    if (!isTrial) await fillSearchIndex(work, pause)
    options.onPeople?.(peopleOf(work))
    insertImport(tx, {
      source: source.name,
      importedAt: seconds(clock),
      keepsIds: work.keepsIds === true,
    })
    const report = reportOf(work, isTrial)
    if (options.onLink && !isTrial) {
      for (const { url, ...person } of makeJoiningLinks(tx, realmUrl)) options.onLink(person, url)
    }
    endBulk(db)
    return report
  } finally {
    db.$client.close()
  }
}

async function readItems(
  work: Work,
  importing: ImportOptions,
  archive: Archive,
  pause: Pause,
  scratch: string,
): Promise<void> {
  const { notes, source, task } = work
  const { clock, config, organization: name, realmUrl, source: options } = importing
  const fallback = { name: source.title, placeholderDomain: placeholderDomain(realmUrl) }
  const handle = createHandlers(work)
  let isCreated = false
  let isOwned = importing.isOwnerChosenLater === true
  let count = 0
  const { progress } = archive
  const server = { config, clock }
  const reading = { archive, scratch, options, notes, server, signal: task.signal }
  for await (const item of source.read(reading)) {
    if (item.type === 'organization' || !isCreated) {
      const base = item.type === 'organization' ? item : ({ type: 'organization' } as const)
      const organization = name === undefined ? base : { ...base, name }
      if (isCreated) throw new Error('The organization must come first, and once.')
      writeOrganization(work, organization, fallback)
      isCreated = true
      work.commit()
      if (organization.pictures) await writeRealmPictures(work, organization.pictures)
    }
    if (!isOwned && afterPeople.has(item.type)) {
      writeOwner(work, importing)
      isOwned = true
    }
    if (item.type !== 'organization') {
      const writing = handle(item)
      if (writing) await writing
      if (++count % itemsAtOnce === 0) work.commit()
    }
    await pause(
      text('Reading the export'),
      () => progress.done,
      () => progress.total,
      'bytes',
    )
  }
  if (!isCreated) throw badRequest(sentence('The export is empty.'))
  if (!isOwned) writeOwner(work, importing)
}

/** The first of these comes after the people, and before what takes long. */
const afterPeople: ReadonlySet<Item['type']> = new Set(['file', 'thread', 'message'])

const indexing = text('Building indexes')

/** How many items are written in one transaction. */
const itemsAtOnce = 1000

async function fillSearchIndex({ tx }: Work, pause: Pause): Promise<void> {
  const total = indexLag(tx)
  for (let left = total; left > 0; left = indexLag(tx)) {
    indexMessages(tx, messagesAtOnce)
    await pause(
      text('Filling the search index'),
      () => total - left,
      () => total,
      'messages',
    )
  }
}

/** How many messages enter the search index in one step. */
const messagesAtOnce = 2000

function reportOf({ notes, source, tx }: Work, isTrial: boolean) {
  const tables = notes.tables()
  const steps = [
    tables.people?.changed['no-address'] &&
      text('Some people have no email address: provide a list of addresses, or change them later.'),
    tables.files?.skipped['missing-file'] &&
      text('Some files are not in the export; messages say so where they were.'),
    tables.files?.skipped['not-downloaded'] &&
      text(
        'Some files could not be downloaded; messages say so where they were. To try again, import once more with the same cache folder.',
      ),
    Object.values(tables).some(({ toFetch }) => toFetch && toFetch.tried !== 'fetched') &&
      text(
        'The links to files in the export may have expired. A new export has new ones, and some tools add the files to the archive.',
      ),
    !isTrial &&
      'Start the server and let people in: if it sends email, they can ask for a new password on the login page.',
  ]
  return {
    format: source.name,
    title: source.title,
    organization: requireRealm(tx).name,
    isTrial,
    tables,
    nextSteps: steps.filter((step) => typeof step === 'string'),
  }
}

/** The server's host name; `localhost` if the host is an IP address. */
function placeholderDomain(realmUrl: string): string {
  const host = new URL(realmUrl).hostname
  return isIP(host.replace(/^\[|\]$/g, '')) ? 'localhost' : host
}
