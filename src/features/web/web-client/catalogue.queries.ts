import { createHash } from 'node:crypto'
import type { Read } from '#platform/store/store.ts'
import { clientCatalogue } from '#platform/translation/catalogues.ts'
import { languages } from '#platform/translation/languages.ts'
import type { Catalogue } from '#translations/translate.ts'
import type { AssetFile } from './asset-file.ts'

/** The texts of a language for the browser, under a name that changes with them. */
interface NamedFile {
  readonly name: string
  readonly file: AssetFile
}

/** A catalogue is another object once its file in the data folder has changed. */
const made = new WeakMap<Catalogue, NamedFile>()

/** The file that the page loads for a language; undefined for English, which is in the program. */
export function catalogueFile(read: Pick<Read, 'db'>, code: string): NamedFile | undefined {
  const catalogue = clientCatalogue(read, code)
  if (!catalogue) return undefined
  const known = made.get(catalogue) ?? named(catalogue)
  made.set(catalogue, known)
  return known
}

function named(catalogue: Catalogue): NamedFile {
  const bytes = Buffer.from(JSON.stringify(catalogue))
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8)
  const name = `texts-${catalogue.language}-${hash}.json`
  return { name, file: { type: 'application/json; charset=utf-8', bytes } }
}

/** The file of this name, as it is now. */
export function findCatalogueFile(read: Pick<Read, 'db'>, name: string): AssetFile | undefined {
  const tag = /^texts-([A-Za-z-]+)-[\da-f]{8}\.json$/.exec(name)?.[1]
  const language = languages.find((each) => each.tag === tag)
  const current = language && catalogueFile(read, language.code)
  return current?.name === name ? current.file : undefined
}
