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

/** What a language needs at run time, with what the data folder replaces. */
interface Loaded {
  readonly translator: Translator
  /** For the web client: its texts alone. */
  readonly client: Catalogue
}

/** The state of the file in the data folder by which it was loaded: undefined where there is none. */
interface Kept extends Loaded {
  readonly changedAt: number | undefined
}

/** Catalogues that were needed, by the data folder and the language. */
const kept = new Map<string, Kept>()
const shipped = new Map<string, CatalogueFile>()

/** For texts that are for the operator. */
export const english = createTranslator(englishCatalogue)
const plain: Loaded = { translator: english, client: englishCatalogue }

/**
 * A language by its code in the API, loaded when it is first needed; English where there is no such
 * language. A file `translations/TAG.json` in the data folder replaces single texts, at once when it
 * changes.
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

/** Where the operator's own translations are; undefined for a database in memory. */
function ownFile({ db }: Pick<Read, 'db'>, tag: string): string | undefined {
  const { name, memory } = db.$client
  return memory ? undefined : join(dirname(name), 'translations', `${tag}.json`)
}

function load(tag: string, own: string | undefined): Loaded {
  const base = shipped.get(tag) ?? parseCatalogueFile(shippedCatalogue(tag))
  shipped.set(tag, base)
  const { client, server } = withOwn(base, own)
  return {
    // The server also says some things that the client says.
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
    // A translation that does not fit would hide a name or a number: the one of the program stays.
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
