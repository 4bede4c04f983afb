import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { openSite } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'

/** Lets a test set the clock of a page ahead, in milliseconds, without setting its timers off. */
function shiftClock(): void {
  const own = Date
  const shifted = { by: 0 }
  class ShiftedDate extends own {
    constructor(...given: ConstructorParameters<typeof Date> | []) {
      if (given.length === 0) super(own.now() + shifted.by)
      else super(...given)
    }
    static override now(): number {
      return own.now() + shifted.by
    }
  }
  Object.assign(globalThis, { Date: ShiftedDate, shifted })
}

/** Sets the clock of a page, as if the machine had slept, and comes back to it. */
async function setAhead(page: Page, days: number): Promise<void> {
  await page.evaluate((by) => {
    Object.assign((globalThis as unknown as { shifted: object }).shifted, { by })
    dispatchEvent(new Event('focus'))
  }, days * 86_400_000)
}

const said = async (where: Locator) => (await where.textContent()) ?? ''

/** Waits until a text is as it should be: the page draws it anew when it has time to. */
async function becomes(where: Locator, isRight: (text: string) => boolean): Promise<void> {
  while (!isRight(await said(where))) await where.page().waitForTimeout(50)
}

/** Where days and times stand, what to wait for, and whether they are relative. */
const places: readonly (readonly [what: string, hash: string, where: string])[] = [
  ['the day in a topic', '#narrow/channel/4-Denmark/topic/days', '.day span'],
  ['the day in a feed', '#feed', '.bar-date >> nth=-1'],
  ['the day in a direct conversation', '#narrow/dm/9-Desdemona', '.day span'],
  ['the inbox', '#inbox', '.snippet-time >> nth=0'],
  ['recent conversations', '#recent', '.recent-time >> nth=0'],
  ['the list of topics', '#topics/channel/4-Denmark', '.recent-time >> nth=0'],
  ['drafts', '#drafts', 'time >> nth=0'],
  ['pinned messages', '#narrow/channel/4-Denmark/topic/days', '.right .snippet-time >> nth=0'],
]

describe('what the page says of days', { skip: noChromium }, async () => {
  if (noChromium) return
  const site = await openSite()
  after(() => site.close())
  const { server } = site
  const member = server.as('member')
  const id = await server.say('owner', 'public', 'days', 'At <time:2026-03-07T23:30:00Z>.')
  await server.say('owner', ['member'])
  await member.post(`/messages/${id}/pin`)
  await member.post('/drafts', {
    drafts: [
      {
        type: 'stream',
        to: [server.channels.public],
        topic: 'days',
        content: 'Not yet',
        timestamp: Math.floor(Date.now() / 1000),
      },
    ],
  })
  const at = Math.floor(Date.now() / 1000) + 3 * 86_400
  await member.post('/scheduled_messages', {
    type: 'stream',
    to: server.channels.public,
    topic: 'days',
    content: 'Later',
    scheduled_delivery_timestamp: at,
  })
  await member.post('/reminders', { message_id: id, scheduled_delivery_timestamp: at })
  const { page } = await site.logIn('member', {
    hash: '#inbox',
    context: { viewport: { width: 1400, height: 900 } },
  })
  await page.evaluate(shiftClock)
  const cdp = await page.context().newCDPSession(page)
  const carry = async (timezoneId: string) => {
    await cdp.send('Emulation.setTimezoneOverride', { timezoneId })
    await page.evaluate(() => dispatchEvent(new Event('focus')))
  }
  await carry('UTC')

  /** Opens a view with something unread that is new: in the conversation itself it would be read. */
  async function show(hash: string): Promise<void> {
    await page.evaluate(() => location.assign('#reminders'))
    await page.getByRole('heading', { name: 'Reminders' }).waitFor()
    await server.say('owner', ['member'])
    await page.evaluate((next) => location.assign(next), hash)
  }

  for (const [what, hash, where] of places) {
    test(`${what}: today becomes yesterday, and the day before`, async () => {
      await show(hash)
      const text = page.locator(where)
      await text.waitFor()
      const isToday = (now: string) => /^(?:Today|\d+:\d\d [AP]M)$/.test(now)
      await becomes(text, isToday)
      try {
        await setAhead(page, 1)
        await becomes(text, (now) => now === 'Yesterday')
        await setAhead(page, 2)
        await becomes(text, (now) => !/today|yesterday/i.test(now))
      } finally {
        await setAhead(page, 0)
      }
      await becomes(text, isToday)
    })
  }

  const hours: readonly (readonly [what: string, hash: string, where: string])[] = [
    ['a message', '#narrow/channel/4-Denmark/topic/days', '.message-time >> nth=0'],
    ['a time in a text', '#narrow/channel/4-Denmark/topic/days', '.rendered time >> nth=0'],
    ['the inbox', '#inbox', '.snippet-time >> nth=0'],
    ['recent conversations', '#recent', '.recent-time >> nth=0'],
    ['scheduled messages', '#scheduled', '.paper-card-head time'],
    ['reminders', '#reminders', '.paper-card-head time'],
    ['drafts', '#drafts', 'time >> nth=0'],
  ]
  for (const [what, hash, where] of hours) {
    test(`${what}: the hour is that of the zone to which the machine is carried`, async () => {
      await show(hash)
      const text = page.locator(where)
      await text.waitFor()
      const minutes = async () => {
        const [, hour, minute, half] =
          /(\d+):(\d\d)\s([AP])M/.exec(await said(text)) ?? assert.fail(what)
        return (Number(hour) % 12) * 60 + Number(minute) + (half === 'P' ? 720 : 0)
      }
      const first = await minutes()
      for (const [zone, ahead] of [
        ['Asia/Kolkata', 330],
        ['Asia/Kathmandu', 345],
        ['UTC', 0],
      ] as const) {
        await carry(zone)
        const isOtherDay = !/\d+:\d\d/.test(await said(text))
        if (isOtherDay) continue
        const wanted = (first + ahead) % 1440
        for (let i = 0; i < 100 && (await minutes()) !== wanted; i++) await page.waitForTimeout(50)
        assert.equal(await minutes(), wanted, zone)
      }
    })
  }
})
