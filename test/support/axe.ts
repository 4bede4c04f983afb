import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export interface AxeOptions {
  /** The only rule. */
  readonly rule?: string
  /** Selects what is looked at; default: the whole page, with the rules that are about whole pages. */
  readonly within?: string
  /** Selects what is left out. */
  readonly without?: readonly string[]
}

/**
 * What axe finds wrong on a page, a line for each rule and place.
 *
 * @param page of a context with `bypassCSP`
 */
export async function violations(
  page: Page,
  { rule, within = 'html', without = [] }: AxeOptions = {},
): Promise<string[]> {
  if (!(await page.evaluate(`'axe' in globalThis`))) await page.evaluate(source)
  const context = { include: [within], exclude: without }
  const found = await page.evaluate(
    // `skip-link` takes the client's links, which all begin with `#`, for links to elements.
    `axe.run(${JSON.stringify(context)}, {
      ${rule ? `runOnly: ['${rule}'],` : "rules: { 'skip-link': { enabled: false } },"}
      resultTypes: ['violations'],
      // No rule that runs here reads style sheets, which it would fetch and parse each time.
      preload: { assets: ['media'] },
    })`,
  )
  return (found as AxeResults).violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  )
}
