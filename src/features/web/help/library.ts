import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { pagePaths } from './contents.ts'
import type { HelpPage } from './rendering.ts'

const folder = fileURLToPath(new URL('pages/', import.meta.url))

/** All pages, rendered from their files. The build replaces this module by one that has them rendered. */
export async function loadHelp(): Promise<readonly HelpPage[]> {
  const { renderHelp } = await import('./rendering.ts')
  return pagePaths.map((path) => renderHelp(path, readFileSync(`${folder}${path}.md`, 'utf8')))
}
