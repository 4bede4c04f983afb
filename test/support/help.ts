import { readFileSync } from 'node:fs'

/** The Markdown of a page of the help centre, such as `operators/limits`. */
export function helpText(path: string): string {
  const pages = new URL('../../src/features/web/help/pages/', import.meta.url)
  return readFileSync(new URL(`${path}.md`, pages), 'utf8')
}
