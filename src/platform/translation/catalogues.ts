import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Read } from '#platform/store/write.ts'
import {
  type Catalogue,
  createTranslator,
  english as englishCatalogue,
  type Translator,
} from '#translations/translate.ts'
import { type CatalogueFile, parseCatalogueFile, translationProblem } from './catalogue-file.ts'
import { languages } from './languages.ts'
import { shippedCatalogue } from './shipped.ts'

/** The texts of a language at run time, including those that the data folder replaces. */
interface Loaded {
  readonly translator: Translator
  /** The texts of the web client only. */
  readonly client: Catalogue
}

/** The state of the file in the data folder when it was loaded; undefined: there is none. */
interface Kept extends Loaded {
  readonly changedAt: number | undefined
}

/** The loaded catalogues, by data folder and language. */
const kept = new Map<string, Kept>()
const shipped = new Map<string, CatalogueFile>()

/** For texts for the operator. */
export const english = createTranslator(englishCatalogue)
const plain: Loaded = { translator: english, client: englishCatalogue }

/**
 * A language by its code in the API, loaded on first use; English if there is no such language. A
 * file `translations/TAG.json` in the data folder replaces single texts, at once when it changes.
 */
export function languageOf(read: Pick<Read, 'db'>, code: string): Translator {
  return loaded(read, code).translator
}

/** The catalogue of a language for the web client; undefined for English, which needs none. */
export function clientCatalogue(read: Pick<Read, 'db'>, code: string): Catalogue | undefined {
  const { client } = loaded(read, code)
  return client === englishCatalogue ? undefined : client
}

function loaded(read: Pick<Read, 'db'>, code: string): Loaded {
  const tag = languages.find((each) => each.code === code)?.tag
  if (tag === undefined || tag === 'en') return plain
  const file = ownFile(read, tag)
  const changedAt =
    file === undefined ? undefined : statSync(file, { throwIfNoEntry: false })?.mtimeMs
  const key = file ?? tag
  const known = kept.get(key)
  if (known && known.changedAt === changedAt) return known
  const made = { ...load(tag, changedAt === undefined ? undefined : file), changedAt }
  kept.set(key, made)
  return made
}

/** The folder of the operator's own translations; undefined for a database in memory. */
function ownFile({ db }: Pick<Read, 'db'>, tag: string): string | undefined {
  const { name, memory } = db.$client
  return memory ? undefined : join(dirname(name), 'translations', `${tag}.json`)
}

function load(tag: string, own: string | undefined): Loaded {
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

/** What is wrong with the files in the data folder, for the operator. */
export function ownProblems(read: Pick<Read, 'db'>): string[] {
  return languages.flatMap(({ tag }) => {
    const file = ownFile(read, tag)
    if (!file || tag === 'en' || !statSync(file, { throwIfNoEntry: false })) return []
    try {
      const { client, server } = readOwn(file)
      return Object.entries({ ...client, ...server }).flatMap(([key, translation]) => {
        const problem = translationProblem(tag, key, translation as string)
        return problem ? [`${file}: "${key}" ${problem}`] : []
      })
    } catch (error) {
      return [`${file}: ${error instanceof Error ? error.message : error}`]
    }
  })
}

function withOwn(base: CatalogueFile, file: string | undefined): CatalogueFile {
  if (!file) return base
  try {
    const own = readOwn(file)
    // A translation with wrong placeholders would hide a name or a number, so the built-in one
    // stays.
    const fitting = (section: CatalogueFile['client']) =>
      Object.fromEntries(
        Object.entries(section).filter(
          ([key, translation]) =>
            translationProblem(base.language, key, translation as string) === undefined,
        ),
      )
    return {
      ...base,
      client: { ...base.client, ...fitting(own.client) },
      server: { ...base.server, ...fitting(own.server) },
    }
  } catch {
    // `ownProblems` says why.
    return base
  }
}

function readOwn(file: string): CatalogueFile {
  return parseCatalogueFile(readFileSync(file, 'utf8'))
}
