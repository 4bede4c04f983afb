import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type CatalogueFile,
  parseCatalogueFile,
  translationProblem,
} from '../src/platform/translation/catalogue-file.ts'
import type { PluralForms } from '../src/translations/translate.ts'
import type { FoundText } from './texts-of.ts'

const folderIn = (root: string) => join(root, 'src/translations')

/** The file of a language. @param root the top of the repository */
export function catalogueFile(root: string, language: string): string {
  return join(folderIn(root), `${language}.json`)
}

/** The languages that have a catalogue, as BCP 47 tags. */
export function catalogueLanguages(root: string): string[] {
  return readdirSync(folderIn(root))
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort()
}

/** @throws Error what is wrong with the file */
export function readCatalogueFile(root: string, language: string): CatalogueFile {
  return parseCatalogueFile(readFileSync(catalogueFile(root, language), 'utf8'))
}

/** How a catalogue differs from the texts in the sources. */
export interface Differences {
  readonly missing: readonly FoundText[]
  /** Keys that no source has, or not in this section. */
  readonly unused: readonly string[]
  /** Translations that do not fit, with the reason, by key. */
  readonly wrong: ReadonlyMap<string, string>
}

export function differences(file: CatalogueFile, found: readonly FoundText[]): Differences {
  const sectionOf = ({ isClient }: FoundText) => (isClient ? file.client : file.server)
  const known = { client: new Set<string>(), server: new Set<string>() }
  for (const { key, isClient } of found) known[isClient ? 'client' : 'server'].add(key)
  const unusedIn = (section: 'client' | 'server') =>
    Object.keys(file[section]).filter((key) => !known[section].has(key))
  const wrong = new Map<string, string>()
  for (const text of found) {
    const translation = sectionOf(text)[text.key]
    if (translation === undefined) continue
    const problem = translationProblem(file.language, text.key, translation as PluralForms)
    if (problem) wrong.set(text.key, problem)
  }
  return {
    missing: found.filter((text) => sectionOf(text)[text.key] === undefined),
    unused: [...unusedIn('client'), ...unusedIn('server')],
    wrong,
  }
}
