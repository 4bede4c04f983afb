import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { dayAfter, momentTyped } from '#client/narrow/dates.ts'
import { findMessage, insertMessage } from '#features/foundation/core/queries.ts'
import { until } from '#test/client/state/support.ts'
import { openSite, type Person, type Site } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { eventually } from '#test/support/eventually.ts'
import { hold } from '#test/support/hold.ts'
import { followSight } from './sight.ts'

const topic = 'anchoring'

/** Where the uppermost rows in sight are, in pixels of the window, by message id. */
async function rowsInSight(page: Page): Promise<Record<string, number>> {
  return await page.evaluate(() => {
    const scroller = document.querySelector('.pane-scroller')
    if (!scroller) throw new Error('There is no message pane.')
    const { top, bottom } = scroller.getBoundingClientRect()
    const rows = [...document.querySelectorAll<HTMLElement>('[data-message-id]')]
    return Object.fromEntries(
      rows
        .map((row) => [row.dataset.messageId ?? '', row.getBoundingClientRect().top] as const)
        .filter(([, y]) => y >= top + 36 && y < bottom),
    )
  })
}

/** How far the first row that was and still is in sight moved, in pixels. */
function drift(before: Record<string, number>, now: Record<string, number>): number {
  const kept = Object.keys(before).find((id) => id in now)
  assert.ok(kept, 'no row stayed in sight')
  return Math.abs((now[kept] ?? 0) - (before[kept] ?? 0))
}

async function scrollTo(page: Page, part: number): Promise<void> {
  await page.evaluate((where) => {
    const scroller = document.querySelector('.pane-scroller')
    if (scroller) scroller.scrollTop = where * (scroller.scrollHeight - scroller.clientHeight)
  }, part)
  await nextFrames(page)
}

/** Lets what was asked for be drawn. */
async function nextFrames(page: Page): Promise<void> {
  for (let i = 0; i < 4; i++) {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)))
  }
}

/** Waits until no more rows are drawn while the browser is idle. */
async function settled(page: Page): Promise<void> {
  let before = -1
  for (;;) {
    const now = await page.locator('[data-message-id]').count()
    if (now === before) return
    before = now
    await page.waitForTimeout(150)
  }
}

const view = `#narrow/channel/3-Verona/topic/${topic}`

describe('the message pane', { skip: noChromium }, async () => {
  if (noChromium) return
  const site: Site = await openSite()
  after(() => site.close())
  const { server } = site
  const ids: number[] = []
  for (let i = 0; i < 330; i++) {
    const sender = i % 3 === 0 ? 'admin' : 'othello'
    ids.push(await server.say(sender, 'shared', topic, `Message ${i}. ${'words '.repeat(i % 40)}`))
  }
  await server.as('member').post('/mark_all_as_read')
  const person: Person = await site.logIn('member', {
    hash: view,
    context: { viewport: { width: 1000, height: 700 } },
  })
  const { page } = person
  const row = (id: number | undefined) => page.locator(`[data-message-id="${id}"]`)

  test('asks for the first messages while the program is being loaded, and once', async () => {
    const calls: string[] = []
    const other = await page.context().newPage()
    other.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      // Older messages have the id of a known one as their anchor.
      const isOpening = searchParams.get('anchor') === 'first_unread'
      if (pathname === '/json/register' || isOpening) calls.push(pathname)
    })
    const load = await hold(other, /\/main-\w+\.js$/)
    const asked = other.waitForRequest(/\/json\/messages\?/)
    await other.goto(page.url(), { waitUntil: 'commit' })
    await asked
    load()
    await other.locator('[data-message-id]').first().waitFor()
    assert.deepEqual(calls, ['/json/register', '/json/messages'])
    await other.close()
  })

  test('opens at the end, and draws no more rows than its bound', async () => {
    await row(ids.at(-1)).waitFor()
    await settled(page)
    const count = await page.locator('[data-message-id]').count()
    assert.ok(count <= 250, `${count} rows`)
    const rest = await page.evaluate(() => {
      const pane = document.querySelector('.pane-scroller')
      return pane ? pane.scrollHeight - pane.clientHeight - pane.scrollTop : -1
    })
    assert.ok(Math.abs(rest) <= 1, `${rest} px below`)
  })

  test('lets keys act on the newest message where nobody has selected one', async () => {
    await page.locator('main').focus()
    await page.keyboard.press('i')
    const menu = page.getByRole('menu')
    await menu.getByText('Copy link').waitFor()
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })
    assert.match(
      (await page.locator('[data-message-id][aria-current]').textContent()) ?? '',
      /Message 329/,
    )
  })

  test('follows new messages at its end', async () => {
    const id = await server.say('othello', 'shared', topic, 'Something new')
    await row(id).waitFor()
    await nextFrames(page)
    assert.ok(
      await row(id).evaluate((element) => {
        const pane = element.closest('.pane-scroller')?.getBoundingClientRect()
        return pane !== undefined && element.getBoundingClientRect().bottom <= pane.bottom + 1
      }),
    )
  })

  test('holds the row that is read while messages arrive below', async () => {
    await scrollTo(page, 0.5)
    await settled(page)
    const before = await rowsInSight(page)
    await server.say('othello', 'shared', topic, 'Below, out of sight')
    await page.getByRole('button', { name: '1 new' }).waitFor()
    await nextFrames(page)
    assert.equal(drift(before, await rowsInSight(page)), 0)
  })

  test('holds it while reactions and edits change rows above', async () => {
    await scrollTo(page, 0.5)
    await settled(page)
    const before = await rowsInSight(page)
    const first = Number(Object.keys(before)[0])
    const above = ids[ids.indexOf(first) - 3] ?? 0
    const sender = ids.indexOf(above) % 3 === 0 ? 'admin' : 'othello'
    await server.as('admin').post(`/messages/${above}/reactions`, { emoji_name: 'octopus' })
    await row(above).locator('.reaction').waitFor()
    await server.as(sender).patch(`/messages/${above}`, { content: 'Line\n\n'.repeat(12) })
    await row(above).getByRole('button', { name: 'edited' }).waitFor()
    await nextFrames(page)
    assert.equal(drift(before, await rowsInSight(page)), 0)
  })

  test('holds it while a row above grows by something that loads late', async () => {
    await scrollTo(page, 0.5)
    await settled(page)
    const before = await rowsInSight(page)
    const first = Number(Object.keys(before)[0])
    const above = ids[ids.indexOf(first) - 2] ?? 0
    await row(above)
      .locator('.rendered')
      .evaluate((element) => element.style.setProperty('min-height', '400px'))
    await nextFrames(page)
    assert.equal(drift(before, await rowsInSight(page)), 0)
  })

  test('leaves what the user scrolls meanwhile to the user', async () => {
    await scrollTo(page, 0.5)
    await settled(page)
    const before = await rowsInSight(page)
    const above = ids[ids.indexOf(Number(Object.keys(before)[0])) - 2] ?? 0
    // The event of the scroll comes with the next frame, after rows have changed.
    await row(above)
      .locator('.rendered')
      .evaluate((element) => {
        const scroller = element.closest('.pane-scroller')
        scroller?.scrollBy(0, -100)
        element.style.setProperty('min-height', '700px')
      })
    await nextFrames(page)
    const now = await rowsInSight(page)
    const kept = Object.keys(before).find((id) => id in now) ?? ''
    assert.equal((now[kept] ?? 0) - (before[kept] ?? 0), 100)
  })

  test('holds the next row where the one that is read is deleted', async () => {
    await scrollTo(page, 0.6)
    await settled(page)
    const before = await rowsInSight(page)
    const [first] = Object.keys(before)
    await server.as('admin').del(`/messages/${first}`)
    await row(Number(first)).waitFor({ state: 'detached' })
    await nextFrames(page)
    assert.equal(drift(before, await rowsInSight(page)), 0)
  })

  test('holds it while older messages are fetched and drawn', async () => {
    await scrollTo(page, 0)
    const before = await rowsInSight(page)
    await settled(page)
    await nextFrames(page)
    assert.equal(drift(before, await rowsInSight(page)), 0)
    assert.ok((await page.locator('[data-message-id]').count()) <= 250)
  })

  test('has rows beyond both edges of a tall window, and neither side takes any from the other', async () => {
    const usual = page.viewportSize() ?? { width: 1280, height: 720 }
    await page.setViewportSize({ width: usual.width, height: 2000 })
    await scrollTo(page, 0.5)
    await settled(page)
    const { above, below, changes } = await page.evaluate(async () => {
      const pane = document.querySelector('.pane-scroller')
      const list = document.querySelector('.messages')
      if (!pane || !list) throw new Error('There is no list.')
      let count = 0
      const observer = new MutationObserver((records) => {
        count += records.length
      })
      observer.observe(list, { childList: true })
      for (let i = 0; i < 10; i++) await new Promise((done) => requestAnimationFrame(done))
      observer.disconnect()
      const room = pane.clientHeight
      const rest = pane.scrollHeight - room - pane.scrollTop
      return { above: pane.scrollTop / room, below: rest / room, changes: count }
    })
    assert.ok(above >= 1 && below >= 1, `${above} and ${below} screens`)
    assert.equal(changes, 0)
    await page.setViewportSize(usual)
    await settled(page)
  })

  test('returns by Back to the pixel that was left', async () => {
    await scrollTo(page, 0.4)
    await settled(page)
    const before = await rowsInSight(page)
    await page.getByRole('link', { name: 'Recent conversations' }).click()
    await page.getByRole('searchbox', { name: 'Filter conversations' }).waitFor()
    await page.goBack()
    await page.locator('[data-message-id]').first().waitFor()
    await nextFrames(page)
    assert.equal(drift(before, await rowsInSight(page)), 0)
  })

  test('goes to the end by its button, which tells what came there', async () => {
    await page.locator('.pane-new', { hasText: '1 new' }).waitFor()
    await page.locator('.pane-new').click()
    await page.locator('.pane-new').waitFor({ state: 'detached' })
    await nextFrames(page)
    const last = page.locator('[data-message-id]').last()
    assert.match((await last.textContent()) ?? '', /Below, out of sight/)
  })

  test('moves the selection and the focus by keys, through one list with one tab stop', async () => {
    const list = page.getByRole('list', { name: 'Messages' })
    assert.equal(await list.locator('[data-message-id][tabindex="0"]').count(), 1)
    await page.locator('main').focus()
    await page.keyboard.press('k')
    await page.keyboard.press('k')
    const focused = page.locator('[data-message-id]:focus')
    await focused.waitFor()
    const before = Number(await focused.getAttribute('data-message-id'))
    await page.keyboard.press('ArrowUp')
    await page.locator(`[data-message-id]:focus:not([data-message-id="${before}"])`).waitFor()
    assert.ok(Number(await focused.getAttribute('data-message-id')) < before)
    assert.equal(await list.locator('[data-message-id][tabindex="0"]').count(), 1)
  })

  test('shows the own message at once to whoever was reading far above', async () => {
    await scrollTo(page, 0.3)
    await settled(page)
    const box = page.getByRole('textbox', { name: 'Message' })
    await box.fill('From far above')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.locator('[data-message-id]').getByText('From far above').waitFor()
    await page.locator('.pane-new').waitFor({ state: 'detached' })
  })

  test('shows what one sends from the first unread message, and reads only what was in sight', async () => {
    const name = 'answered from the top'
    const unread: number[] = []
    for (let i = 0; i < 24; i++) {
      unread.push(await server.say('othello', 'shared', name, `Line ${i}\n\n`.repeat(4)))
    }
    const sight = await followSight(page)
    await page.evaluate(
      (hash) => location.assign(hash),
      `#narrow/channel/3-Verona/topic/${name.replaceAll(' ', '.20')}`,
    )
    await row(unread[0]).waitFor()
    await settled(page)
    await page.getByRole('textbox', { name: 'Message' }).fill('Mine, from the top')
    const told = page.waitForRequest(/\/messages\/flags$/)
    await page.keyboard.press('Control+Enter')
    const own = page.locator('[data-message-id]', { hasText: 'Mine, from the top' })
    await own.waitFor()
    await nextFrames(page)
    const isInSight = () =>
      own.evaluate((element) => {
        const pane = element.closest('.pane-scroller')?.getBoundingClientRect()
        const { top, bottom } = element.getBoundingClientRect()
        return pane !== undefined && top >= pane.top && bottom <= pane.bottom + 1
      })
    assert.ok(await isInSight(), 'what was sent is out of sight')
    // A row that loads late does not push it out.
    await page
      .locator('[data-message-id]')
      .nth(-3)
      .evaluate((element) => element.style.setProperty('min-height', '500px'))
    await nextFrames(page)
    assert.ok(await isInSight(), 'what was sent went out of sight')
    const above = page.getByRole('button', { name: /unread above/ })
    await above.waitFor()
    await told
    await sight.check()
    const left = await page.locator('.message-unread').count()
    assert.match((await above.textContent()) ?? '', new RegExp(`^${left} unread above$`))
    assert.ok(left > 8, `${left} unread`)
    // Back to the first that was not seen, and from there all of them.
    await above.click()
    await above.waitFor({ state: 'detached' })
    for (let i = 0; i < 60 && (await page.locator('.message-unread').count()) > 0; i++) {
      await page.mouse.move(500, 300)
      await page.mouse.wheel(0, 300)
      await nextFrames(page)
    }
    assert.equal(await page.locator('.message-unread').count(), 0)
    await until(() => sight.read.length === unread.length)
    await sight.check()
  })

  test('reads what was in sight, not what waits below, until it is there', async () => {
    const text = 'Line\n\n'.repeat(6)
    const unread: number[] = []
    const say = async () => unread.push(await server.say('othello', 'shared', 'reading', text))
    for (let i = 0; i < 20; i++) await say()
    await page.evaluate((hash) => location.assign(hash), '#narrow/channel/3-Verona/topic/reading')
    await row(unread[0]).waitFor()
    await settled(page)
    const waiting = page.locator('.message-unread')
    assert.ok((await waiting.count()) >= 15, 'what is below was read')
    await page.locator('main').focus()
    await page.keyboard.press('End')
    await waiting.first().waitFor({ state: 'detached' })
    assert.equal(await waiting.count(), 0)
    // What is not fetched is read as well, as the link leads to the end.
    const [first] = ids
    const all = [
      { operator: 'channel', operand: server.channels.shared },
      { operator: 'topic', operand: topic },
    ]
    const range = { anchor: 'oldest', num_before: 0, num_after: 5000, narrow: all }
    const member = server.as('member')
    await member.post('/messages/flags/narrow', { ...range, op: 'remove', flag: 'read' })
    await page.evaluate((hash) => location.assign(hash), `${view}/near/${ids.at(-1)}`)
    await row(ids.at(-1)).waitFor()
    await page.locator('main').focus()
    const told = page.waitForResponse(/flags\/narrow/)
    await page.keyboard.press('End')
    await told
    await waiting.first().waitFor({ state: 'detached' })
    const isRead = async () => {
      const { message } = await member.get<{ message: { flags: string[] } }>(`/messages/${first}`)
      return message.flags.includes('read')
    }
    await eventually(isRead, true)
    await page.goBack()
    await page.locator('[data-message-id]').getByText('Line').first().waitFor()
    // A poll that brings more than fits, as after a sleep.
    await page.context().setOffline(true)
    for (let i = 0; i < 20; i++) await say()
    await page.context().setOffline(false)
    await row(unread.at(-1)).waitFor()
    await settled(page)
    assert.ok((await waiting.count()) >= 15, 'what came below was read')
  })

  test('opens a search at the newest message found, says how many there are, and narrows it down', async () => {
    for (let i = 0; i < 30; i++) {
      await server.say('othello', 'shared', 'finding', `needle ${i}\n\n`.repeat(3))
    }
    await page.evaluate(() => location.assign('#narrow/search/needle'))
    await page.getByText('30 results').waitFor()
    await settled(page)
    const last = page.locator('[data-message-id]').last()
    assert.match((await last.textContent()) ?? '', /needle 29/)
    assert.equal(await page.locator('.pane-new').count(), 0)
    await page.getByRole('button', { name: 'From', exact: true }).click()
    await page.locator('.search-input:focus').waitFor()
    await page.keyboard.type('oth')
    await page
      .getByRole('option', { name: /Othello/ })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('30 results').waitFor()
    assert.match(new URL(page.url()).hash, /sender\/12/)
  })

  test('narrows a search down to some days, and widens it again', async () => {
    const { store } = server.server.context
    const now = findMessage(store, await server.say('othello', 'shared', 'hay', 'A haystack.'))
    assert.ok(now)
    const { id: _, lastEditAt: __, lastMovedAt: ___, ...parts } = now
    const sentAt = now.sentAt - 10 * 86_400
    await store.write((tx) =>
      insertMessage(tx, { ...parts, sentAt, renderedContent: '<p>An older haystack.</p>' }),
    )
    await page.evaluate(() => location.assign('#narrow/search/haystack'))
    await page.getByText('2 results').waitFor()
    const dates = page.getByRole('button', { name: 'Date', exact: true })
    await dates.click()
    await page.getByRole('menuitem', { name: 'Last 7 days' }).click()
    await page.getByText('one result').waitFor()
    await page.getByText('A haystack.').waitFor()

    await dates.click()
    await page.getByRole('menuitem', { name: 'Custom…' }).click()
    const day = (days: number) => momentTyped(dayAfter(now.sentAt, days))
    const dialog = page.getByRole('dialog', { name: 'Search by date' })
    assert.equal(await dialog.getByLabel('First day').inputValue(), day(-6))
    await dialog.getByLabel('First day').fill(day(-20))
    await dialog.getByLabel('Last day').fill(day(-10))
    await dialog.getByRole('button', { name: 'Search' }).click()
    await page.getByText('An older haystack.').waitFor()
    await page.getByText('one result').waitFor()
    await page.getByRole('button', { name: `Remove after:${day(-20)}` }).click()
    await page.getByRole('button', { name: `Remove before:${day(-9)}` }).click()
    await page.getByText('2 results').waitFor()
    assert.equal(new URL(page.url()).hash, '#narrow/search/haystack')

    await dates.click()
    assert.equal(await page.getByRole('menuitem', { name: 'Any time' }).count(), 0)
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    await page.keyboard.type('today')
    await page.getByRole('option', { name: /^after:/ }).click()
    await page.getByText('one result').waitFor()
  })

  test('keeps what is typed into the search as soon as the view has changed', async () => {
    await page.evaluate(() => location.assign('#narrow/search/haystack'))
    await page.getByText('2 results').waitFor()
    await page.locator('main').focus()
    const typed = await page.evaluate(async () => {
      const key = new KeyboardEvent('keydown', { key: 'a', bubbles: true })
      document.activeElement?.dispatchEvent(key)
      const title = () => document.querySelector('.head-title')?.textContent
      for (let i = 0; i < 10_000 && title() !== 'Combined feed'; i++) await undefined
      const box = document.querySelector<HTMLInputElement>('.search-input')
      if (!box) return undefined
      box.focus()
      box.value = 'needle'
      box.dispatchEvent(new InputEvent('input', { bubbles: true }))
      // What follows a change comes after a frame.
      for (const _ of [1, 2]) {
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
      }
      return box.value
    })
    assert.equal(typed, 'needle')
    await page.keyboard.press('Escape')
  })

  test('has one button at a row at rest, and all of its actions once it is pointed at or focused', async () => {
    const ids = [
      await server.say('member', 'shared', 'resting', 'Pointed at'),
      await server.say('member', 'shared', 'resting', 'Focused'),
      await server.say('othello', 'shared', 'resting', 'By someone else'),
    ]
    await page.evaluate(() => location.assign('#narrow/channel/3-Verona/topic/resting'))
    const [pointed, focused, other] = ids.map((id) => page.locator(`[data-message-id="${id}"]`))
    assert.ok(pointed && focused && other)
    await other.waitFor()
    const actions = async (row: typeof pointed) =>
      await row
        .getByRole('toolbar', { name: 'Actions' })
        .getByRole('button')
        .evaluateAll((buttons) => buttons.map((each) => each.ariaLabel))
    await page.mouse.move(0, 0)
    for (const row of [pointed, focused, other])
      assert.deepEqual(await actions(row), ['More actions'])
    const all = ['Add reaction', 'Quote', 'Edit', 'Star', 'More actions']
    await pointed.hover()
    await pointed.getByRole('button', { name: 'Star' }).waitFor()
    assert.deepEqual(await actions(pointed), all)

    await focused.focus()
    await focused.getByRole('button', { name: 'Star' }).waitFor()
    assert.deepEqual(await actions(focused), all)
    const reached: (string | null | undefined)[] = []
    while (reached.at(-1) !== 'More actions' && reached.length < 20) {
      await page.keyboard.press('Tab')
      reached.push(await page.evaluate(() => document.activeElement?.ariaLabel))
    }
    assert.deepEqual(reached.slice(-all.length), all)
    assert.deepEqual(await actions(other), ['More actions'])
  })

  test('shows one date at a time: the next one pushes it away', async () => {
    const { store } = server.server.context
    const last = findMessage(store, await server.say('othello', 'shared', 'days', 'Today'))
    assert.ok(last)
    const { id: _, lastEditAt: __, lastMovedAt: ___, ...parts } = last
    const renderedContent = `<p>${'A long story.<br>'.repeat(8)}</p>`
    await store.write((tx) => {
      for (let day = 0; day < 4; day++) {
        for (const hour of [0, 1]) {
          const sentAt = last.sentAt + day * 86_400 + hour * 1200
          insertMessage(tx, { ...parts, sentAt, renderedContent })
        }
      }
    })
    await page.evaluate(() => location.assign('#narrow/channel/3-Verona/topic/days'))
    await page.getByText('A long story.').nth(7).waitFor()
    await settled(page)
    /** For each place, how far the pills in sight lie over each other, in pixels. */
    const overlaps = await page.evaluate(async () => {
      const scroller = document.querySelector('.pane-scroller')
      if (!scroller) throw new Error('There is no message pane.')
      const found: { at: number; over: number; first: number }[] = []
      for (let at = 0; at <= scroller.scrollHeight - scroller.clientHeight; at += 9) {
        scroller.scrollTop = at
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
        const { top } = scroller.getBoundingClientRect()
        const pills = [...scroller.querySelectorAll('.day span')]
          .map((pill) => pill.getBoundingClientRect())
          .filter((box) => box.bottom > top)
        const over = pills.map((box, i) => (pills[i - 1]?.bottom ?? 0) - box.top)
        found.push({ at, over: Math.max(...over), first: (pills[0]?.top ?? 0) - top })
      }
      return found
    })
    assert.ok(overlaps.length > 30, `${overlaps.length} places`)
    assert.deepEqual(overlaps.filter(({ over }) => over > 0).slice(0, 3), [])
    assert.ok(
      overlaps.some(({ first }) => first < 0),
      'none is pushed away',
    )
  })

  test('has what one does with a topic most in its header', async () => {
    await page.evaluate(() => location.assign('#narrow/channel/3-Verona/topic/finding'))
    const follow = page.getByRole('button', { name: 'Follow' })
    await follow.click()
    await page.locator('.head [aria-pressed="true"]').waitFor()
    await page.getByRole('button', { name: 'Search in this topic' }).click()
    await page.locator('.search-input:focus').waitFor()
    await page.keyboard.type('needle')
    await page.getByRole('option', { name: /^Search all messages/ }).click()
    await page.waitForURL(/#narrow\/search\/needle$/)
  })

  test('has a bar beside it whose filter says what it did not find', async () => {
    await server.say('othello', ['member'], '', 'Only for you.')
    const filter = page.getByRole('searchbox', { name: 'Filter channels' })
    const nothing = page.locator('.left .side-empty').filter({ hasText: 'No matching' })
    await filter.fill('othello')
    await page.locator('.left .side-link').filter({ hasText: 'Othello' }).waitFor()
    await nothing.waitFor()
    assert.equal(await nothing.textContent(), 'No matching channels')
    await filter.fill('nobody and nothing')
    await nothing.getByText('No matching channels or people').waitFor()
    await filter.fill('')
  })
})
