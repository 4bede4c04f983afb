import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { clientDrawn, openSite, type Site } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { eventually } from '#test/support/eventually.ts'

describe('at the desk', { skip: noChromium }, async () => {
  if (noChromium) return
  const site: Site = await openSite()
  after(() => site.close())
  const { server } = site
  await server.say('othello', 'public', 'runbook', 'When it burns, call Othello.')
  const hash = `#narrow/channel/${server.channels.public}/topic/runbook`
  const { page } = await site.logIn('member', {
    hash,
    context: { viewport: { width: 1440, height: 900 } },
  })
  const menu = page.getByRole('menu')
  const status = page.getByRole('dialog', { name: 'Set your status' })
  const pinned = page.locator('.right .pin')

  test('a message is pinned from its menu, and stands beside the topic for everyone', async () => {
    const other = await site.logIn('othello', { hash })
    await page.getByText('When it burns').first().click()
    await page.keyboard.press('i')
    await menu.getByText('Pin message', { exact: true }).click()
    await pinned.getByText('When it burns').waitFor()
    await page.getByRole('button', { name: 'One pinned message' }).click()
    await page.getByRole('dialog', { name: 'Pinned messages' }).getByText('When it burns').waitFor()
    await page.keyboard.press('Escape')
    await other.page.locator('.right .pin').getByText('When it burns').waitFor()
    await other.page.getByRole('button', { name: 'Unpin message' }).click()
    await pinned.waitFor({ state: 'detached' })
    await other.leave()
  })

  test('the head says who writes in a topic, and when; of a person, whether they are there', async () => {
    const about = page.locator('.head-about')
    const go = (to: string) => page.evaluate((next) => location.assign(next), to)
    await about.filter({ hasText: /^one person · last message just now$/ }).waitFor()
    await server.say('cordelia', 'public', 'runbook', 'So who is to call Othello?')
    await about.filter({ hasText: /^2 people · last message just now$/ }).waitFor()
    // Bots are no people, and there are more messages than are fetched at first.
    for (let i = 0; i < 400; i++) await server.say('bot', 'public', 'alarms', `Alarm ${i}`)
    await server.say('othello', 'public', 'alarms', 'Quiet!')
    await server.as('member').post('/mark_all_as_read')
    await go(`#narrow/channel/${server.channels.public}/topic/alarms`)
    await about.filter({ hasText: /^1\+ people · last message just now$/ }).waitFor()

    await server.as('othello').patch('/settings', { timezone: 'Pacific/Kiritimati' })
    await server.as('othello').post('/users/me/presence', { status: 'active' })
    const status = { status_text: 'On the island', emoji_name: 'palm_tree' }
    await server.as('othello').post('/users/me/status', status)
    const { othello, cordelia } = server.ids
    await server
      .as('othello')
      .post('/messages', { type: 'direct', to: [server.ids.member], content: 'Call me' })
    await go(`#narrow/dm/${othello}`)
    await about.filter({ hasText: /^ ?Active · 🌴 On the island · .*\d.* local time$/ }).waitFor()
    // The row in the bar has its number until the message was seen.
    const unread = page.locator('.left').getByRole('link', { name: /^(Active )?Othello.*unread/ })
    await page.locator('main').getByText('Call me').waitFor()
    await unread.waitFor({ state: 'detached' })
    await server.as('othello').post('/messages', {
      type: 'direct',
      to: [cordelia, server.ids.member],
      content: 'All of you',
    })
    await go(`#narrow/dm/${othello},${cordelia}`)
    await about.filter({ hasText: /^3 people · last message just now$/ }).waitFor()
    await page.locator('main').getByText('All of you').waitFor()
    assert.equal(await page.locator('.head .face .avatar').count(), 2)
    await go(hash)
  })

  test('another conversation is painted before the people beside it', async () => {
    const hashOf = (topic: string) => `#narrow/channel/${server.channels.public}/topic/${topic}`
    await page.goto(`${server.url}/${hashOf('alarms')}`)
    const here = page.locator('.right .side-section').filter({ hasText: 'In this conversation' })
    await here.getByRole('link', { name: 'cordelia' }).waitFor({ state: 'detached' })
    await page.locator('main').getByText('Quiet!').waitFor()
    const frames = await page.evaluate(async (to) => {
      let frame = 0
      const changed: Record<string, number> = {}
      const watch = (place: string) => {
        const observer = new MutationObserver(() => {
          changed[place] ??= frame
        })
        const element = document.querySelector(place)
        if (element) observer.observe(element, { childList: true, subtree: true })
      }
      watch('main')
      watch('.right')
      location.assign(to)
      while (Object.keys(changed).length < 2) {
        await new Promise(requestAnimationFrame)
        frame++
      }
      return changed
    }, hashOf('runbook'))
    assert.ok((frames['.right'] ?? 0) > (frames.main ?? 0), JSON.stringify(frames))
    await here.getByRole('link', { name: 'cordelia' }).waitFor()
  })

  test('direct conversations have faces in the bar, with presence, or two of a group', async () => {
    const row = (name: RegExp) => page.locator('.left').getByRole('link', { name })
    const one = row(/^(Active )?Othello, the Moor of Venice On the island$/)
    await one.locator('.avatar').waitFor()
    await one.getByRole('img', { name: 'Active' }).waitFor()
    const group = row(/Othello.*Cordelia|Cordelia.*Othello/)
    await group.locator('.avatar').nth(1).waitFor()
    assert.equal(await group.getByRole('img').count(), 0)
  })

  test('the search says what opens the switcher, opens it, and makes room where one types', async () => {
    const hint = page.getByRole('button', { name: 'Jump to a person, channel, topic or setting' })
    assert.equal(await hint.textContent(), 'Ctrl K')
    await hint.click()
    await page.getByRole('dialog').getByRole('combobox').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: 'Search' }).click()
    await hint.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await hint.waitFor()
    await page.setViewportSize({ width: 900, height: 900 })
    await hint.waitFor({ state: 'hidden' })
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  test('notifications are paused and resumed from the menu', async () => {
    await page.getByRole('button', { name: 'Your menu' }).click()
    await menu.getByText('Pause notifications').click()
    await page.getByRole('button', { name: 'For 1 hour' }).click()
    await page.locator(':root[data-quiet]').waitFor()
    await page.getByRole('button', { name: 'Your menu' }).click()
    await menu.getByText('Resume notifications').click()
    await page.locator(':root:not([data-quiet])').waitFor()
  })

  test('quiet hours are set by their days and times', async () => {
    await page.evaluate(() => location.assign('#settings/notifications'))
    const settings = page.getByRole('dialog', { name: 'Settings' })
    await settings.getByLabel('Quiet hours').check()
    await settings.getByLabel('Sunday').uncheck()
    await settings.getByLabel('From').fill('21:30')
    await settings.getByLabel('From').press('Tab')
    await settings.getByText('Saved').waitFor()
    const expected = { days: [1, 2, 3, 4, 5, 6], start_minute: 1290, end_minute: 480 }
    const saved = async () => {
      const { quiet_times } = await server
        .as('member')
        .get<{ quiet_times: { schedule: typeof expected } }>('/users/me/quiet_times')
      const { days, start_minute, end_minute } = quiet_times.schedule
      return { days, start_minute, end_minute }
    }
    await eventually(saved, expected)
    await settings.getByLabel('Quiet hours').uncheck()
    await page.keyboard.press('Escape')
  })

  test('a status says when it ends', async () => {
    await page.evaluate((place) => location.assign(place), hash)
    await page.locator('main').focus()
    await page.keyboard.press('Shift+Y')
    await status.getByRole('button', { name: 'In a meeting' }).click()
    assert.equal(await status.getByLabel('Clear after').inputValue(), '1')
    await status.getByRole('button', { name: 'Save' }).click()
    await status.waitFor({ state: 'detached' })
    await page.keyboard.press('Shift+Y')
    assert.equal(await status.getByLabel('Clear after').inputValue(), 'other')
    await status.getByRole('button', { name: 'Clear status' }).click()
    await status.waitFor({ state: 'detached' })
  })

  test('bars are made narrower, hidden and shown by their edges, and stay so', async () => {
    const edge = page.getByRole('separator', { name: 'Width of the left sidebar' })
    const width = async () => (await page.locator('nav.left').boundingBox())?.width
    const usual = await width()
    await edge.focus()
    await page.keyboard.press('ArrowLeft')
    assert.equal(await width(), (usual ?? 0) - 16)
    await edge.dblclick()
    assert.equal(await width(), 0)
    await page.reload()
    await clientDrawn(page)
    assert.equal(await width(), 0)
    await edge.dblclick()
    assert.equal(await width(), usual)
  })

  test('a topic is moved to a channel that is found by typing', async () => {
    await page.evaluate((place) => location.assign(place), hash)
    await page.getByRole('button', { name: 'Topic menu' }).click()
    await menu.getByText('Rename or move').click()
    const dialog = page.getByRole('dialog')
    const channel = dialog.getByRole('combobox', { name: 'To channel' })
    await channel.fill('nowhere')
    assert.ok(await dialog.getByRole('button', { name: 'Move' }).isDisabled())
    await channel.fill('Veron')
    await page.keyboard.press('Enter')
    assert.equal(await channel.inputValue(), 'Verona')
    await page.keyboard.press('Escape')
  })
})
