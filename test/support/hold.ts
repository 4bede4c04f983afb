import type { Page } from 'playwright-core'

/**
 * Holds requests of a page back, as a slow network does.
 *
 * @param method of those that are held; the others go on. Default: all
 * @returns lets them through, and those that follow
 */
export async function hold(
  page: Page,
  url: string | RegExp,
  { method }: { readonly method?: string } = {},
): Promise<() => void> {
  let letThrough = () => {}
  const held = new Promise<void>((resolve) => {
    letThrough = resolve
  })
  await page.route(url, async (route) => {
    if (method === undefined || route.request().method() === method) await held
    // The page may have given it up meanwhile.
    await route.continue().catch(() => undefined)
  })
  return letThrough
}
