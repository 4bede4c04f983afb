import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** What the page marked as read by itself, beside what it had drawn in the window. */
export interface Sight {
  /** Fails where a message became read that was in no frame in sight. @param said for the failure */
  check(said?: string): Promise<void>
  /** The messages that were marked as read so far. */
  readonly read: readonly number[]
}

/** Follows which rows each frame shows, and which messages the page marks as read one by one. */
export async function followSight(page: Page): Promise<Sight> {
  const read: number[] = []
  page.on('request', (request) => {
    if (!/\/json\/messages\/flags$/.test(request.url())) return
    const params = new URLSearchParams(request.postData() ?? '')
    if (params.get('op') !== 'add' || params.get('flag') !== 'read') return
    read.push(...(JSON.parse(params.get('messages') ?? '[]') as number[]))
  })
  await page.evaluate(() => {
    const shared = globalThis as { drawnInSight?: Set<number> }
    if (shared.drawnInSight) return
    const drawn = new Set<number>()
    shared.drawnInSight = drawn
    const look = () => {
      requestAnimationFrame(look)
      const box = document.querySelector('.pane-scroller')?.getBoundingClientRect()
      if (!box) return
      for (const row of document.querySelectorAll<HTMLElement>('.messages [data-message-id]')) {
        const { top, bottom } = row.getBoundingClientRect()
        if (bottom > box.top && top < box.bottom) drawn.add(Number(row.dataset.messageId))
      }
    }
    look()
  })
  return {
    read,
    async check(said) {
      const drawn = await page.evaluate(() => [
        ...((globalThis as { drawnInSight?: Set<number> }).drawnInSight ?? []),
      ])
      const unseen = read.filter((id) => !drawn.includes(id))
      assert.deepEqual(unseen, [], `read, but never in sight; ${said ?? ''}`)
    },
  }
}
