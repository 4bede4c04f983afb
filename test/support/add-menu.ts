import type { Page } from 'playwright-core'

/** Opens what the compose box offers to add to its message, and returns the entry of this name. */
export async function openAddMenu(page: Page, name: string | RegExp) {
  await page.locator('.compose').getByRole('button', { name: 'Add to the message' }).click()
  return page.getByRole('menuitem', { name })
}

/** Chooses what to add to the message of the compose box. */
export async function addToMessage(page: Page, name: string): Promise<void> {
  await (await openAddMenu(page, name)).click()
}

/** Waits until the compose box offers something to add, or no longer does. */
export async function addMenuHas(page: Page, name: string, isThere: boolean): Promise<void> {
  for (;;) {
    const entry = await openAddMenu(page, name)
    await page.getByRole('menuitem', { name: 'Attach files' }).waitFor()
    const count = await entry.count()
    await page.keyboard.press('Escape')
    if (count > 0 === isThere) return
    await page.waitForTimeout(100)
  }
}
