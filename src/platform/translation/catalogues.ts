import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Read } from '#platform/store/store.ts'
import {
  type Catalogue,
  createTranslator,
  english as englishCatalogue,
  type Translator,
} from '#translations/translate.ts'
import {
  type CatalogueFile,
  largestFile,
  type OwnTexts,
  parseCatalogueFile,
  parseOwnFile,
} from './catalogue-file.ts'
import { languages } from './languages.ts'
import { shippedCatalogue } from './shipped.ts'

/** The texts of a language at run time, including those that the data folder replaces. */
interface LoadedCatalogue {
  readonly translator: Translator
  /** The texts of the web client only. */
  readonly client: Catalogue
}

/** The state of the file in the data folder when it was loaded; undefined: there is none. */
interface CachedCatalogue extends LoadedCatalogue {
  readonly changedAt: number | undefined
}

/** The loaded catalogues, by data folder and language. */
const kept = new Map<string, CachedCatalogue>()
const shipped = new Map<string, CatalogueFile>()

/** For texts for the operator. */
export const english = createTranslator(englishCatalogue)
const plain: LoadedCatalogue = { translator: english, client: englishCatalogue }

/**
 * A language by its code in the API, loaded on first use; English if there is no such language. A
 * file `translations/TAG.json` in the data folder replaces single texts, immediately when it changes.
 */
export function languageOf(read: Pick<Read, 'db'>, code: string): Translator {
  return loaded(read, code).translator
}

/** The catalogue of a language for the web client; undefined for English, which needs none. */
export function clientCatalogue(read: Pick<Read, 'db'>, code: string): Catalogue | undefined {
  const { client } = loaded(read, code)
  return client === englishCatalogue ? undefined : client
}

function loaded(read: Pick<Read, 'db'>, code: string): LoadedCatalogue {
  const tag = languages.find((each) => each.code === code)?.tag
  if (tag === undefined || tag === 'en') return plain
  const file = ownFile(read, tag)
  const changedAt = file === undefined ? undefined : changeOf(file)
  const key = file ?? tag
  const known = kept.get(key)
  if (known && known.changedAt === changedAt) return known
  const made = { ...load(tag, changedAt === undefined ? undefined : file), changedAt }
  kept.set(key, made)
  return made
}

/** The folder of the operator's own translations; undefined for a database in memory. */
function ownFile({ db }: Pick<Read, 'db'>, tag: string): string | undefined {
  const folder = ownFolder({ db })
  return folder === undefined ? undefined : join(folder, `${tag}.json`)
}

function ownFolder({ db }: Pick<Read, 'db'>): string | undefined {
  const { name, memory } = db.$client
  return memory ? undefined : join(dirname(name), 'translations')
}

/** When a file was last changed; undefined: there is none, or it cannot be seen. */
function changeOf(file: string): number | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false })?.mtimeMs
  } catch {
    return undefined
  }
}

function load(tag: string, own: string | undefined): LoadedCatalogue {
  const base = shipped.get(tag) ?? parseCatalogueFile(shippedCatalogue(tag))
  shipped.set(tag, base)
  const { client, server } = withOwn(base, own)
  return {
    // Some texts are used by both the server and the client.
    translator: createTranslator({
      language: tag,
      texts: { ...client, ...server } as Catalogue['texts'],
    }),
    client: { language: tag, texts: client as Catalogue['texts'] },
  }
}

/**
 * Problems with the files in the data folder, for the operator. What is wrong is not used: the text
 * that the program comes with stays.
 */
export function ownProblems(read: Pick<Read, 'db'>): string[] {
  const folder = ownFolder(read)
  if (folder === undefined) return []
  return ownFiles(folder).flatMap((name) => {
    const file = join(folder, name)
    const tag = languages.find((each) => name === `${each.tag}.json`)?.tag
    if (tag === undefined || tag === 'en') {
      const offered = languages
        .filter((each) => each.tag !== 'en')
        .map((each) => `${each.tag}.json`)
      return [`${file}: not the file of a language; the files are ${offered.join(', ')}`]
    }
    try {
      return readOwn(tag, file).problems.map((problem) => `${file}: ${problem}`)
    } catch (error) {
      return [`${file}: ${error instanceof Error ? error.message : error}`]
    }
  })
}

/** The files of the folder; none if there is no such folder. */
function ownFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort()
  } catch {
    return []
  }
}

function withOwn(base: CatalogueFile, file: string | undefined): CatalogueFile {
  if (!file) return base
  try {
    const { client, server } = readOwn(base.language, file)
    return {
      ...base,
      client: { ...base.client, ...client },
      server: { ...base.server, ...server },
    }
  } catch {
    // `ownProblems` says why.
    return base
  }
}

function readOwn(tag: string, file: string): OwnTexts {
  const { size } = statSync(file)
  // A character is at most three bytes.
  if (size > 3 * largestFile) throw new Error(`larger than ${largestFile} characters`)
  return parseOwnFile(tag, readFileSync(file, 'utf8'))
}
