import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { operatorPages, pagePaths } from './contents.ts'
import type { HelpPage } from './rendering.ts'

const folder = fileURLToPath(new URL('pages/', import.meta.url))

// The build replaces this module by one that contains the pages.

/** All pages, rendered. */
export async function loadHelp(): Promise<readonly HelpPage[]> {
  const { renderHelp } = await import('./rendering.ts')
  return pagePaths.map((path) => renderHelp(path, readFileSync(`${folder}${path}.md`, 'utf8')))
}

/** The Markdown of the pages for operators, by their names. */
export async function loadHelpText(): Promise<Readonly<Record<string, string>>> {
  return Object.fromEntries(
    operatorPages.map((name) => [name, readFileSync(`${folder}operators/${name}.md`, 'utf8')]),
  )
}
