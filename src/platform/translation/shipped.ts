import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../translations/', import.meta.url))

/**
 * The file of a language that the program comes with, as JSON. The build replaces this module by one
 * that contains the files.
 *
 * @param language a BCP 47 tag, one of `languages`
 */
export function shippedCatalogue(language: string): string {
  return readFileSync(`${folder}${language}.json`, 'utf8')
}
