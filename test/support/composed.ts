import type { Page } from 'playwright-core'
import { eventually } from '#test/support/eventually.ts'

/**
 * The newest draft with what is in the box: the box itself has neither the quotes above nor the links
 * below. As source, because functions of a test need what its loader adds.
 */
const source = `(() => {
  const written = document.querySelector('.compose .editor-text')?.value ?? ''
  const drafts = Object.keys(localStorage)
    .filter((name) => name.startsWith('parley:drafts:'))
    .flatMap((name) => JSON.parse(localStorage[name]))
    .filter(({ isRemoved, localId, content }) => !isRemoved && !localId && content.includes(written))
    .sort((a, b) => b.updatedAt - a.updatedAt)
  return drafts[0]?.content ?? ''
})()`

/** The whole text of the compose box, as it is sent. */
export const composed = (page: Page): Promise<string> => page.evaluate(source)

/** Waits until that is as wanted. */
export async function composes(page: Page, wanted: RegExp): Promise<string> {
  let text = ''
  await eventually(async () => {
    text = await composed(page)
    return wanted.test(text) || text
  }, true)
  return text
}

/** Takes everything out of the compose box. */
export async function emptyBox(page: Page): Promise<void> {
  const box = page.getByRole('textbox', { name: 'Message', exact: true })
  if (await box.isVisible()) await box.fill('')
  const parts = page.locator('.compose').getByRole('button', { name: /^(Remove|Cancel) / })
  while ((await parts.count()) > 0) await parts.first().click()
}
