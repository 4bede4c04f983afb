import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export interface AxeOptions {
  /** Whether to leave colours to `colourViolations`. */
  readonly colourless?: boolean
  /** Selects what is looked at; default: the whole page, with the rules that are about whole pages. */
  readonly within?: string
  /** Selects what is left out. */
  readonly without?: readonly string[]
}

const common = {
  resultTypes: ['violations'],
  // No rule that runs here reads style sheets, which it would fetch and parse each time.
  preload: { assets: ['media'] },
}

/**
 * What axe finds wrong on a page, a line for each rule and place.
 *
 * @param page of a context with `bypassCSP`
 */
export async function violations(
  page: Page,
  { colourless = false, within = 'html', without = [] }: AxeOptions = {},
): Promise<string[]> {
  // It takes the client's links, which all begin with `#`, for links to elements.
  const unfit = ['skip-link', ...(colourless ? ['color-contrast'] : [])]
  const rules = Object.fromEntries(unfit.map((rule) => [rule, { enabled: false }]))
  const context = JSON.stringify({ include: [within], exclude: without })
  return await run(page, `axe.run(${context}, ${JSON.stringify({ ...common, rules })})`)
}

/**
 * What has too little contrast in the colours of now. Texts that look like one that was looked at
 * before, in the same document, are left out: most of a page looks like others.
 *
 * @param page as of `violations`
 * @param within selects what is looked at
 * @param rule the enhanced one asks for 7:1
 */
export async function colourViolations(
  page: Page,
  within: string,
  rule: 'color-contrast' | 'color-contrast-enhanced' = 'color-contrast',
): Promise<string[]> {
  const rules = { [rule]: { enabled: true } }
  const options = JSON.stringify({ ...common, runOnly: [rule], rules })
  return await run(
    page,
    `(async () => {
      const include = (${newLooks})(${JSON.stringify(within)})
      return include.length > 0 ? await axe.run({ include }, ${options}) : { violations: [] }
    })()`,
  )
}

/**
 * Finds texts by all that decides about their contrast: their own style, and the backgrounds below
 * them. As source, because functions of a test need what its loader adds.
 */
const newLooks = `(within) => {
  const known = (globalThis.knownLooks ??= new Set())
  const backgrounds = new Map()
  const backgroundOf = (element) => {
    if (!element) return ''
    let background = backgrounds.get(element)
    if (background === undefined) {
      const { backgroundColor, backgroundImage, opacity, filter } = getComputedStyle(element)
      const own = [backgroundColor, backgroundImage, opacity, filter].join()
      const below = backgroundOf(element.parentElement)
      background = own === 'rgba(0, 0, 0, 0),none,1,none' ? below : below + ' > ' + own
      backgrounds.set(element, background)
    }
    return background
  }
  const hasText = (element) =>
    element.matches('input, textarea, select') ||
    [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')
  const isNew = (element) => {
    if (!hasText(element) || !element.checkVisibility()) return false
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element)
    const { tagName, className, disabled } = element
    const own = [tagName, className, disabled, color, fontSize, fontWeight, textShadow].join()
    const look = own + backgroundOf(element)
    return !known.has(look) && known.add(look)
  }
  return [...document.querySelector(within).querySelectorAll('*')].filter(isNew)
}`

async function run(page: Page, source: string): Promise<string[]> {
  if (!(await page.evaluate(`'axe' in globalThis`))) await page.evaluate(axe)
  const { violations } = await page.evaluate<Pick<AxeResults, 'violations'>>(source)
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  )
}
