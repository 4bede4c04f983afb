import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { heapMegabytes } from '#test/bench/client/page.ts'
import { openSite } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'

const topic = (name: string) => `#narrow/channel/4-Denmark/topic/${name}`

describe('a page at which nobody acts', { skip: noChromium }, async () => {
  if (noChromium) return
  const site = await openSite()
  after(() => site.close())

  test('holds nothing of the views that it has left', async () => {
    for (let i = 0; i < 30; i++) {
      for (const name of ['one', 'other'])
        await site.server.say('othello', 'public', name, `Of ${name}: ${i}`)
    }
    const { page, leave } = await site.logIn('member', { hash: topic('one') })
    const devtools = await page.context().newCDPSession(page)
    const main = page.getByRole('main')
    const views = [
      [topic('one'), main.getByText('Of one: 29')],
      ['#inbox', main.getByRole('heading', { name: 'Inbox' })],
      [topic('other'), main.getByText('Of other: 29')],
      ['#recent', main.getByRole('heading', { name: 'Recent conversations' })],
    ] as const

    /** What the page holds after it was led through all views some times. */
    async function heldAfter(rounds: number) {
      for (let i = 0; i < rounds; i++) {
        for (const [hash, sign] of views) {
          await page.evaluate((next) => location.assign(next), hash)
          await sign.waitFor()
        }
      }
      const megabytes = await heapMegabytes({ page, devtools })
      const { nodes } = await devtools.send('Memory.getDOMCounters')
      return { megabytes, nodes }
    }
    const before = await heldAfter(5)
    const later = await heldAfter(15)
    assert.ok(later.nodes < 2 * before.nodes, `${before.nodes} elements, then ${later.nodes}`)
    const grown = later.megabytes - before.megabytes
    assert.ok(grown < 3, `It has grown by ${grown} MB.`)
    await leave()
  })
})
