import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { addMenuHas, addToMessage } from '#test/support/add-menu.ts'
import { openSite, type Person, type Site } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { composed, composes, emptyBox } from '#test/support/composed.ts'
import { eventually } from '#test/support/eventually.ts'
import { startVendor } from '#test/support/vendor.ts'

const box = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
const starts = (page: Page) => page.getByRole('button', { name: /^Start a (video|voice) call$/ })
const head = (page: Page) => page.locator('.head')
const cards = (page: Page) => page.locator('[data-message-id] .call-card')

/** Plays Zoom and Constructor Groups. */
const vendor = await startVendor()
const zoom = `http://${vendor.host}`
vendor.answer = (response, { url }) => {
  const json = (status: number, body: object) =>
    response.writeHead(status).end(JSON.stringify(body))
  if (url.pathname === '/oauth/authorize') {
    const back = new URL(url.searchParams.get('redirect_uri') ?? '')
    back.search = `${new URLSearchParams({ code: 'c', state: url.searchParams.get('state') ?? '' })}`
    response.writeHead(302, { location: back.href }).end()
  } else if (url.pathname === '/oauth/token') {
    json(200, { access_token: 'a', refresh_token: 'r', expires_in: 3600 })
  } else if (url.pathname === '/xapi/room') json(201, { url: `${zoom}/groups/room/a` })
  else json(201, { join_url: `${zoom}/j/123?pwd=a.1` })
}

describe('calls', { skip: noChromium }, () => {
  let site: Site
  let hamlet: Person
  const topic = '#narrow/channel/4-Denmark/topic/calls'
  const direct = () => `#narrow/dm/${site.server.ids.othello}`
  const settle = (changes: Record<string, unknown>) =>
    site.server.as('owner').patch('/realm', changes)

  before(async () => {
    site = await openSite({
      config: {
        bigBlueButtonUrl: 'https://:secret@bbb.example.com/bigbluebutton',
        // Nobody listens there.
        nextcloudUrl: 'http://parley:secret@127.0.0.1:9',
        zoomUrl: `http://id:secret@${vendor.host}`,
        constructorGroupsUrl: `http://key:secret@${vendor.host}/xapi`,
        zoomApiUrl: `${zoom}/v2`,
        allowedNetworks: ['127.0.0.1'],
      },
    })
    await settle({ jitsi_server_url: 'https://jitsi.example.com/' })
    hamlet = await site.logIn('member', { hash: topic })
  })
  after(() => site.close())

  test('a video call is a link in the message, and a card to join it where it is read', async () => {
    const { page } = hamlet
    await box(page).fill('Shall we talk?')
    await box(page).press('End')
    await addToMessage(page, 'Start a video call')
    await composes(
      page,
      /^Shall we talk\?\n\[Join video call\.\]\(https:\/\/jitsi\.example\.com\/[0-9a-f]{32}\)\n$/,
    )
    await box(page).press('Control+Enter')
    const card = cards(page).first()
    await card.getByText('Video call').waitFor()
    await card.getByText('jitsi.example.com').waitFor()
    const join = card.getByRole('link', { name: 'Join the video call' })
    assert.match((await join.getAttribute('href')) ?? '', /^https:\/\/jitsi\.example\.com\/\w{32}$/)
    assert.equal(await join.getAttribute('target'), '_blank')
    assert.equal(await join.getAttribute('rel'), 'noopener noreferrer')
    // What stands above the link stays, and the link is there once.
    const body = page
      .locator('[data-message-id] .rendered')
      .filter({ has: page.locator('.call-card') })
    assert.deepEqual(await body.locator('p').allInnerTexts(), ['Shall we talk?'])
    assert.equal(await body.locator('a').count(), 1)
  })

  test('a voice call starts from the head of a direct conversation, beside what is written there', async () => {
    const { page } = hamlet
    await page.goto(`/${direct()}`)
    await box(page).fill('Good lord,')
    await head(page).getByRole('button', { name: 'Start a voice call' }).click()
    await composes(
      page,
      /^Good lord,\n\[Join voice call\.\]\(https:\/\/jitsi\.example\.com\/\w{32}#config\.startWithVideoMuted=true\)\n$/,
    )
    await box(page).press('Control+Enter')
    await cards(page).getByRole('link', { name: 'Join the voice call' }).waitFor()
  })

  test('the menu of a person starts a call in the direct conversation, and a draft elsewhere stays', async () => {
    const { page } = hamlet
    await page.goto(`/${direct()}`)
    await page.evaluate((next) => location.assign(next), topic)
    await page.getByRole('heading', { name: 'calls' }).waitFor()
    await box(page).fill('Not sent yet')
    await page
      .locator('.left')
      .getByRole('link', { name: /Othello/ })
      .first()
      .click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Start a video call' }).click()
    await head(page)
      .getByRole('heading', { name: /Othello/ })
      .waitFor()
    await composes(page, /^\[Join video call\.\]\(/)
    await emptyBox(page)
    await page.evaluate((next) => location.assign(next), topic)
    await page.getByRole('heading', { name: 'calls' }).waitFor()
    assert.equal(await box(page).inputValue(), 'Not sent yet')
    await box(page).fill('')
  })

  test('only a link alone in its line, to a room of the own server, becomes a card', async () => {
    const { page } = hamlet
    const lines = [
      'Come to [the call](https://jitsi.example.com/sentence) now',
      '[elsewhere](https://jitsi.example.net/room)',
      '```quote\n[quoted](https://jitsi.example.com/quoted)\n```',
      '[Weekly <b>standup</b>](https://jitsi.example.com/standup)',
      'https://jitsi.example.com/bare',
    ]
    const ids: number[] = []
    for (const line of lines) ids.push(await site.server.say('othello', 'public', 'which', line))
    await page.evaluate((next) => location.assign(next), '#narrow/channel/4-Denmark/topic/which')
    await page.locator(`[data-message-id="${ids[4]}"] .call-card`).waitFor()
    assert.deepEqual(await cards(page).locator('.call-title').allTextContents(), [
      'Weekly <b>standup</b>',
      'Video call',
    ])
    for (const id of ids.slice(0, 3)) {
      assert.equal(await page.locator(`[data-message-id="${id}"] .rendered a`).count(), 1)
    }
  })

  test('nobody is called who cannot answer: bots, and oneself', async () => {
    const { page } = hamlet
    const { ids } = site.server
    for (const other of [ids.bot, ids.member]) {
      await page.goto(`/#narrow/dm/${other}`)
      await head(page)
        .getByRole('button', { name: /^Menu of/ })
        .waitFor()
      // What the box offers and the head come from one file.
      await addMenuHas(page, 'Start a video call', true)
      assert.equal(
        await head(page)
          .getByRole('button', { name: /^Start a/ })
          .count(),
        0,
      )
    }
  })

  test('without a provider nothing offers calls, from the moment on that it is taken away', async () => {
    const { page } = hamlet
    await page.goto(`/${direct()}`)
    await starts(page).nth(1).waitFor()
    await settle({ video_chat_provider: 0 })
    await starts(page).first().waitFor({ state: 'detached' })
    assert.equal(await starts(page).count(), 0)
    await head(page)
      .getByRole('button', { name: /^Menu of/ })
      .click()
    await page.getByRole('menuitem', { name: 'Copy link' }).waitFor()
    assert.equal(await page.getByRole('menuitem', { name: /call/ }).count(), 0)
    await page.keyboard.press('Escape')
    await addMenuHas(page, 'Start a video call', false)
    await settle({ video_chat_provider: 1 })
    await starts(page).nth(1).waitFor()
  })

  test('a call in BigBlueButton is a link to this server, which becomes a card', async () => {
    const { page } = hamlet
    await settle({ video_chat_provider: 4 })
    await page.goto('/#narrow/channel/4-Denmark/topic/meetings')
    await page.getByRole('heading', { name: 'meetings' }).waitFor()
    await box(page).fill('')
    await addToMessage(page, 'Start a voice call')
    const text = await composes(
      page,
      /^\[Join voice call\.\]\(http:[^ ]+\/calls\/bigbluebutton\/join[^ ]+name=Denmark\+%3E\+meetings&[^ ]+\)\n$/,
    )
    await box(page).press('Control+Enter')
    const join = cards(page).getByRole('link', { name: 'Join the voice call' })
    assert.equal(await join.getAttribute('href'), text.slice(19, -2))
  })

  test('Nextcloud Talk has one kind of call, and its failure is told and leaves the text', async () => {
    const { page } = hamlet
    await settle({ video_chat_provider: 7 })
    await page
      .getByRole('button', { name: 'Start a voice call' })
      .first()
      .waitFor({ state: 'detached' })
    await box(page).fill('Shall we?')
    hamlet.expectProblems(/400/)
    await addToMessage(page, 'Start a video call')
    await page.getByText('The call could not be created: Nextcloud Talk failed.').waitFor()
    assert.equal(await box(page).inputValue(), 'Shall we?')
  })

  test('a room in Constructor Groups becomes a card', async () => {
    const { page } = hamlet
    await settle({ video_chat_provider: 6 })
    await page.goto('/#narrow/channel/4-Denmark/topic/rooms')
    await page.getByRole('heading', { name: 'rooms' }).waitFor()
    await addMenuHas(page, 'Start a voice call', false)
    await box(page).fill('')
    await addToMessage(page, 'Start a video call')
    const link = `[Join video call.](${zoom}/groups/room/a)\n`
    await eventually(() => composed(page), link)
    await box(page).press('Control+Enter')
    const join = cards(page).getByRole('link', { name: 'Join the video call' })
    assert.equal(await join.getAttribute('href'), `${zoom}/groups/room/a`)
  })

  test('the first call in Zoom connects the account in another window, and the next needs none', async () => {
    const { page } = hamlet
    await settle({ video_chat_provider: 3 })
    await addMenuHas(page, 'Start a voice call', true)
    await box(page).fill('')
    const opened = page.waitForEvent('popup')
    await addToMessage(page, 'Start a voice call')
    const window = await opened
    await window.getByRole('heading', { name: 'Connected with Zoom' }).waitFor()
    await window.close()
    const link = `[Join voice call.](${zoom}/j/123?pwd=a.1)\n`
    await eventually(() => composed(page), link)
    await addToMessage(page, 'Start a video call')
    const both = `${link}${link.replace('voice', 'video')}`
    await eventually(() => composed(page), both)
    await page.getByRole('button', { name: 'Remove Join video call.' }).click()
    await box(page).press('Control+Enter')
    await cards(page).getByRole('link', { name: 'Join the voice call' }).waitFor()
    assert.equal(page.context().pages().length, 1)
  })

  test('the settings of the organization list what the operator configured', async () => {
    const owner = await site.logIn('owner', { hash: '#organization/organization-settings' })
    const choice = owner.page.getByRole('combobox', { name: 'Video and voice calls' })
    await choice.waitFor()
    assert.deepEqual(await choice.locator('option').allTextContents(), [
      'None',
      'Jitsi Meet',
      'Zoom',
      'BigBlueButton',
      'Constructor Groups',
      'Nextcloud Talk',
    ])
  })
})
