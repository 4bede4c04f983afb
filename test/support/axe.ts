import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * What axe finds wrong on a page, a line for each rule and place.
 *
 * @param page of a context with `bypassCSP`
 * @param only one rule
 */
export async function violations(page: Page, only?: string): Promise<string[]> {
  await page.evaluate(axe)
  const found = await page.evaluate(
    // `skip-link` takes the client's links, which all begin with `#`, for links to elements.
    `axe.run({
      ${only ? `runOnly: ['${only}'],` : "rules: { 'skip-link': { enabled: false } },"}
      resultTypes: ['violations'],
    })`,
  )
  return (found as AxeResults).violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  )
}
