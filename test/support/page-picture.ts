import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

/** Where pictures of pages are kept when their story fails. */
const folder = fileURLToPath(new URL('../../node_modules/.cache/parley-pictures/', import.meta.url))
/** How long a picture may take, in milliseconds: a page whose scripts never rest gives none. */
const patience = 4_000

let number = 0

/** Takes a picture of a page, and says where it is. */
export async function picturePage(page: Page, owner: string): Promise<string> {
  const subject = `${owner} at ${page.url()}`
  mkdirSync(folder, { recursive: true })
  number += 1
  const path = join(folder, `${process.pid}-${number}.png`)
  try {
    await page.screenshot({ path, timeout: patience })
    return `Picture of ${subject}: ${path}`
  } catch (error) {
    return `There is no picture of ${subject}: ${error}`
  }
}
