import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openSite } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { eventually } from '#test/support/eventually.ts'
import { sendPicture } from '#test/support/files.ts'
import { pixelOf, pngPicture } from '#test/support/pictures.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const topic = '#narrow/channel/3-Verona/topic/poll'

/** Places with fields, and what to wait for there. */
const fields = [
  ['inbox', '#inbox', '.view'],
  ['recent conversations', '#recent', '.view'],
  ['topic', topic, '.widget .input'],
  ['settings', '#settings/preferences', '.settings-page .input'],
  ['channels', '#channels/all', '.directory-tools .input'],
  ['new channel', '#channels/new', '.settings-page .input'],
  ['inviting', '#invite', '.dialog .input'],
] as const

describe('what is drawn', { skip: noChromium }, async () => {
  if (noChromium) return
  const site = await openSite()
  after(() => site.close())
  const { server } = site
  const admin = server.as('admin')
  const to = { type: 'channel', to: 'Verona', topic: 'poll' }
  const poll = await admin.post<{ id: number }>('/messages', {
    ...to,
    content: '/poll Where?\nHere\nThere',
  })
  for (const [actor, option] of [
    ['admin', 0],
    ['member', 0],
    ['cordelia', 1],
  ] as const) {
    await server.as(actor).post('/submessage', {
      message_id: poll.id,
      msg_type: 'widget',
      content: JSON.stringify({ type: 'vote', key: `canned,${option}`, vote: 1 }),
    })
  }

  test('an option of a poll is filled in its whole height, as far as it has votes', async () => {
    const { page, leave } = await site.logIn('admin', { hash: topic })
    await page.locator('.poll-vote').nth(1).waitFor()
    // Nothing is under the pointer.
    await page.mouse.move(0, 0)
    const filled = await Promise.all(
      [0, 1].map(async (index) => {
        const option = page.locator('.poll-vote').nth(index)
        const { width = 0, height = 0 } = (await option.boundingBox()) ?? {}
        const picture = await option.screenshot()
        const at = (x: number, y: number) => pixelOf(picture, Math.round(x), Math.round(y)).join()
        const empty = await option.evaluate((element) => {
          const card = element.closest('.widget') ?? element
          return getComputedStyle(card).backgroundColor.match(/\d+/g)?.join()
        })
        const places = [0.1, 0.45, 0.55, 0.85].map((part) => part * width)
        return [4, height - 5].map((y) => places.map((x) => at(x, y) !== empty))
      }),
    )
    const [whole, half] = [
      [true, true, true, true],
      [true, true, false, false],
    ]
    assert.deepEqual(filled, [
      [whole, whole],
      [half, half],
    ])
    await leave()
  })

  test('fields are not the colour of what they are on, in the light and in the dark', async () => {
    for (const context of [{}, phone]) {
      const { page, leave } = await site.logIn('admin', { context })
      for (const [what, hash, there] of fields) {
        await page.evaluate((next) => location.assign(next), hash)
        await page.locator(there).first().waitFor()
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          assert.deepEqual(await page.evaluate(unseenFields), [], `${what}, ${colorScheme}`)
        }
      }
      await leave()
    }
  })

  test('emoji keep the lines of a text as far apart as they are, and are large where they are alone', async () => {
    const say = (content: string) => server.say('member', 'shared', 'emoji', content)
    const lines = 'one\ntwo\nthree'
    const plain = await say(lines)
    const mixed = await say(lines.replace('two', ':tada: two 🎉').replace('three', ':zulip:'))
    const alone = await say(':tada:')
    const toned = await say('👍🏽 👩‍💻 ❤️')
    const { page, leave } = await site.logIn('admin', {
      hash: '#narrow/channel/3-Verona/topic/emoji',
    })
    const text = (id: number) => page.locator(`[data-message-id="${id}"] .rendered`)
    await text(toned).waitFor()
    const height = (id: number) => text(id).evaluate((each) => each.getBoundingClientRect().height)
    assert.equal(await height(mixed), await height(plain))
    assert.ok((await height(alone)) > 1.2 * ((await height(plain)) / 3))
    assert.equal(await height(toned), await height(alone))
    await leave()
  })

  test('reactions show pictures, also of emoji that were removed or are not in Unicode', async () => {
    await sendPicture(server, 'admin', '/realm/emoji/parrot', [pngPicture()])
    const id = await server.say('member', 'shared', 'parrots')
    for (const emoji_name of ['parrot', 'zulip']) {
      await admin.post(`/messages/${id}/reactions`, { emoji_name })
    }
    await admin.del('/realm/emoji/parrot')
    const { page, leave } = await site.logIn('admin', {
      hash: '#narrow/channel/3-Verona/topic/parrots',
    })
    const pictures = page.locator(`[data-message-id="${id}"] .reaction img`)
    await pictures.nth(1).waitFor()
    await page.waitForFunction(() => [...document.images].every((image) => image.complete))
    const widths = await pictures.evaluateAll((all) =>
      all.map((image) => (image as HTMLImageElement).naturalWidth > 0),
    )
    assert.deepEqual(widths, [true, true])
    await leave()
  })

  test('a tab of the emoji picker leads to its group, and the keys go on from there', async () => {
    const { page, leave } = await site.logIn('admin', { hash: topic })
    await page.getByRole('button', { name: 'Emoji', exact: true }).click()
    const picker = page.getByRole('dialog', { name: 'Emoji' })
    for (const name of ['Flags', 'Food and drink', 'Objects']) {
      const tab = picker.getByRole('button', { name, exact: true })
      await tab.click()
      await picker.locator('.emoji-tab[aria-current]').and(tab).waitFor()
      const [grid, group, chosen] = await Promise.all([
        picker.getByRole('listbox').boundingBox(),
        picker.getByRole('group', { name, exact: true }).boundingBox(),
        picker.locator('[aria-selected="true"]').boundingBox(),
      ])
      assert.ok(grid && group && chosen)
      assert.ok(group.y > grid.y - 2 && group.y < grid.y + grid.height - 80, name)
      assert.ok(chosen.y > group.y && chosen.y < group.y + 60, name)
    }
    await picker.getByRole('searchbox').and(page.locator(':focus')).waitFor()
    await picker.getByRole('searchbox').fill('no such emoji')
    await picker.getByText('No emoji matches.').waitFor()
    await leave()
  })

  test('a toast does not cover what the search suggests', async () => {
    const { page, leave } = await site.logIn('admin', { hash: topic })
    await page.locator('[data-message-id]').first().waitFor()
    await page.keyboard.press('Shift+M')
    const toast = page.locator('.toast')
    await toast.waitFor()
    await page.keyboard.press('/')
    await page.locator('.search .suggestion').first().waitFor()
    const covered = await page.locator('.search .suggestion').evaluateAll((all) =>
      all.filter((each) => {
        const { left, width, top, height } = each.getBoundingClientRect()
        const seen = document.elementFromPoint(left + width / 2, top + height / 2)
        return seen === null || !each.contains(seen)
      }),
    )
    assert.deepEqual(covered, [])
    assert.equal(await toast.count(), 1, 'while it was there')
    await leave()
  })

  test('the bar above a conversation is high enough for a finger', async () => {
    const { page, leave } = await site.logIn('admin', { hash: '#feed', context: phone })
    await page.locator('.bar-part').first().waitFor()
    const low = await page
      .locator('.bar :is(a, button)')
      .evaluateAll((all) => all.filter((each) => each.getBoundingClientRect().height < 44))
    assert.deepEqual(low, [])
    await leave()
  })

  test('a menu has no two lines beside each other where what is between is not for everyone', async () => {
    const id = await server.say('admin', 'shared', 'lines')
    const { page, leave } = await site.logIn('othello', {
      hash: '#narrow/channel/3-Verona/topic/lines',
    })
    const row = page.locator(`[data-message-id="${id}"]`)
    await row.focus()
    await row.getByRole('button', { name: 'More actions' }).click()
    const menu = page.getByRole('menu', { name: 'Message' })
    await menu.waitFor()
    assert.equal(await menu.getByRole('menuitem', { name: 'Edit message' }).count(), 0)
    const kinds = await menu
      .locator('.menu-item, .menu-separator')
      .evaluateAll((all) =>
        all.filter((each) => each.checkVisibility()).map((each) => each.tagName),
      )
    assert.ok(kinds.includes('HR'))
    assert.ok(!kinds.join(' ').includes('HR HR'), kinds.join(' '))
    await leave()
  })

  test('a mention and the number of messages are beside each other in the inbox of a phone', async () => {
    await server.as('admin').post('/mark_all_as_read')
    await server.say('member', 'shared', 'mentions', 'Hello @**Iago**.')
    const { page, leave } = await site.logIn('admin', { hash: '#inbox', context: phone })
    const row = page.locator('.inbox-row-said').filter({ hasText: 'mentions' })
    const besideEachOther = (element: Element) => {
      const [mark, count] = ['.count-mention', '.count'].map((sign) =>
        element.querySelector(sign)?.getBoundingClientRect(),
      )
      if (!mark || !count) return 'not there'
      const isLevel = Math.abs(mark.y + mark.height / 2 - count.y - count.height / 2) < 3
      return mark.x < count.x && isLevel
    }
    await eventually(() => row.evaluate(besideEachOther), true)
    await leave()
  })

  test('without an account, a phone shows whose channels these are, and where to log in', async () => {
    await server.as('owner').patch('/realm', { enable_spectator_access: true })
    const { page } = await site.visit('/public/', phone)
    const banner = page.getByRole('banner')
    await banner.getByText('Zulip Dev').waitFor()
    const [head, list] = [banner, page.getByRole('navigation')].map((one) => one.boundingBox())
    const [above, below] = [await head, await list]
    assert.ok(above && below && above.height > 40 && above.y + above.height <= below.y + 1)
    assert.ok(
      await banner.evaluate((element) => element.checkVisibility({ opacityProperty: true })),
    )
    await page.context().close()
  })

  test('a cell of a table that is cut off is said in full where someone points at it', async () => {
    await server
      .as('admin')
      .patch(`/users/${server.ids.zoe}`, { full_name: 'Zoe '.repeat(20).trim() })
    const { page, leave } = await site.logIn('admin', { hash: '#organization/users' })
    const cell = page.getByRole('cell').filter({ hasText: 'Zoe Zoe' }).first()
    await cell.hover()
    await page.waitForFunction(
      (element) => (element as HTMLElement).title !== '',
      await cell.elementHandle(),
    )
    assert.match((await cell.getAttribute('title')) ?? '', /^.*(Zoe ){19}Zoe/)
    const short = page.getByRole('cell', { name: 'Owner', exact: true })
    await short.hover()
    assert.equal((await short.getAttribute('title')) ?? '', '')
    await leave()
  })

  test('no field is so small that iOS enlarges the page for it', async () => {
    const { page, leave } = await site.logIn('admin', { context: phone })
    for (const [what, hash, there] of fields) {
      await page.evaluate((next) => location.assign(next), hash)
      await page.locator(there).first().waitFor()
      const sizes = await page
        .locator('.input, textarea')
        .evaluateAll((all) =>
          all.map((field) => Number.parseFloat(getComputedStyle(field).fontSize)),
        )
      assert.ok(sizes.length > 0 && Math.min(...sizes) >= 16, what)
    }
    await leave()
  })
})

/** Fields in sight without a line, whose colour is nearly that of what is below them. */
const unseenFields = `(() => {
  const lightness = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map((part) => {
      const value = part / 255
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
  }
  const isClear = (colour) => colour === 'transparent' || colour === 'rgba(0, 0, 0, 0)'
  const below = (element) => {
    const { backgroundColor } = getComputedStyle(element)
    return isClear(backgroundColor) && element.parentElement ? below(element.parentElement) : backgroundColor
  }
  const isUnseen = (field) => {
    const { backgroundColor, borderTopColor } = getComputedStyle(field)
    if (!isClear(borderTopColor) || isClear(backgroundColor)) return false
    const [a, b] = [lightness(backgroundColor), lightness(below(field.parentElement))]
    return Math.max(a, b) / Math.min(a, b) < 1.08
  }
  return [...document.querySelectorAll('.input:not(:disabled)')]
    .filter((field) => field.checkVisibility({ visibilityProperty: true }) && isUnseen(field))
    .map((field) => field.className + ' ' + (field.getAttribute('aria-label') ?? field.id))
})()`
