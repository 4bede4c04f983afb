// Keeps the catalogues in `src/translations/` in step with the texts in the sources. For each language
// it takes the translations that someone has written into its worklist, `dist/texts/XX.json`, drops
// what no source has anymore, and writes a new worklist of what is missing or does not fit.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CatalogueFile } from '../src/platform/translation/catalogue-file.ts'
import type { PluralForms } from '../src/translations/translate.ts'
import { catalogueFile, catalogueLanguages, differences, readCatalogueFile } from './catalogues.ts'
import { root } from './repository.ts'
import { type FoundText, listTexts } from './texts-of.ts'

/** A text to translate: `translation` is to be filled in. */
interface Task {
  readonly english: string
  readonly translation: string | PluralForms
  /** Why the translation that there is does not fit. */
  readonly problem?: string
  /** Where it is shown. */
  readonly places: readonly string[]
}

const worklists = join(root, 'dist/texts')
const found = listTexts(root)
mkdirSync(worklists, { recursive: true })
writeJson(join(worklists, 'all.json'), found)
console.log(
  `${found.length} texts, ${found.filter(({ isClient }) => isClient).length} in the client`,
)

for (const language of catalogueLanguages(root)) {
  const worklist = join(worklists, `${language}.json`)
  const before = readCatalogueFile(root, language)
  const taken = new Map(
    readTasks(worklist)
      .filter(({ translation }) => isFilled(translation))
      .map(({ english, translation }) => [english, translation]),
  )
  const section = (isClient: boolean) =>
    Object.fromEntries(
      found
        .filter((text) => text.isClient === isClient)
        .flatMap(({ key }) => {
          const translation = taken.get(key) ?? before.client[key] ?? before.server[key]
          return translation === undefined ? [] : [[key, translation] as const]
        })
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    )
  const after: CatalogueFile = { ...before, client: section(true), server: section(false) }
  writeJson(catalogueFile(root, language), after)
  const { missing, wrong } = differences(after, found)
  const tasks = [
    ...missing.map((text): Task => taskOf(text, language)),
    ...found
      .filter(({ key }) => wrong.has(key))
      .map((text): Task => ({ ...taskOf(text, language), problem: wrong.get(text.key) ?? '' })),
  ]
  writeJson(worklist, tasks)
  const dropped = [...Object.keys(before.client), ...Object.keys(before.server)].filter(
    (key) => !(key in after.client) && !(key in after.server),
  )
  console.log(
    `${language}: ${missing.length} missing, ${wrong.size} do not fit, ${dropped.length} unused dropped`,
  )
}

function taskOf({ key, forms, places }: FoundText, language: string): Task {
  const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  const translation =
    forms.length > 1 ? Object.fromEntries(categories.map((category) => [category, ''])) : ''
  return { english: key, translation, places: places.slice(0, 3) }
}

function readTasks(file: string): Task[] {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Task[]) : []
}

function isFilled(translation: Task['translation']): boolean {
  return typeof translation === 'string'
    ? translation !== ''
    : Object.values(translation).every((form) => form !== '')
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}
