import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { clientDrawn, openSite, type Site } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { eventually } from '#test/support/eventually.ts'

/**
 * Keeps what a page tells its user, and lets a story say whether its window has the focus, and what time
 * it is. Runs before the page's own scripts, as source, because functions of a test need what its loader
 * adds.
 */
const recording = `
globalThis.told = []
globalThis.isThere = false
globalThis.ahead = 0
document.hasFocus = () => isThere
const now = Date.now.bind(Date)
Date.now = () => now() + ahead
globalThis.Notification = class {
  static permission = 'granted'
  static async requestPermission() { return 'granted' }
  constructor(title, { body }) { told.push('shows ' + body) }
  close() {}
}
const node = () => new Proxy(() => undefined, { get: (_, name) => name === 'then' ? undefined : node(), set: () => true, apply: () => node() })
globalThis.AudioContext = class {
  currentTime = 0
  async resume() {}
  createOscillator() { told.push('sounds'); return node() }
  createGain() { return node() }
}
`

/** What one tab shows, by the kind of the conversation that a message comes to. */
interface Place {
  readonly name: string
  readonly direct: string
  readonly topic: string
  /** Whether someone who is there sees the message come. */
  readonly isReading: boolean
  /** What else is done in the tab. */
  readonly after?: (page: Page) => Promise<unknown>
}

const conversation: Place = {
  name: 'the conversation',
  direct: '#narrow/dm/12-Othello',
  topic: '#narrow/channel/4-Denmark/topic/tabs',
  isReading: true,
}
const inbox: Place = { name: 'the inbox', direct: '#inbox', topic: '#inbox', isReading: false }

const places: readonly Place[] = [
  conversation,
  inbox,
  { name: 'a feed', direct: '#narrow/is/dm', topic: '#narrow/channel/4-Denmark', isReading: true },
  {
    name: 'another conversation',
    direct: '#narrow/dm/8-Cordelia',
    topic: '#narrow/channel/4-Denmark/topic/elsewhere',
    isReading: false,
  },
  {
    ...conversation,
    name: 'settings over the conversation',
    isReading: false,
    after: async (page) => {
      await page.evaluate(() => location.assign('#settings/notifications'))
      await page.getByRole('dialog', { name: 'Settings' }).waitFor()
    },
  },
  {
    ...conversation,
    name: 'older messages of the conversation',
    isReading: false,
    after: async (page) => {
      await page.evaluate(() => document.querySelector('.pane-scroller')?.scrollTo(0, 0))
      await page.locator('.pane-new').waitFor()
    },
  },
  {
    ...conversation,
    name: 'the conversation before an empty chair',
    isReading: false,
    after: (page) =>
      page.evaluate(() => {
        const tab = globalThis as unknown as Tab
        tab.ahead += 400_000
      }),
  },
]

interface Tab {
  told: string[]
  isThere: boolean
  ahead: number
}

describe('of three tabs of one person', { skip: noChromium }, () => {
  let site: Site
  let tabs: readonly Page[]
  before(async () => {
    if (noChromium) return
    site = await openSite()
    const member = site.server.as('member')
    await member.patch('/settings', { notification_sound: 'ding' })
    for (let i = 0; i < 40; i++) {
      await site.server.say('othello', 'public', 'tabs', `Before ${i}\n\nand more`)
      await site.server.say('othello', ['member'], '', `Before ${i}\n\nand more`)
    }
    await site.server.say('othello', 'public', 'elsewhere', 'Before')
    // The last notification of each story comes from there, without a sound.
    const loud = { stream_id: site.server.channels.shared, property: 'desktop_notifications' }
    await member.post('/users/me/subscriptions/properties', {
      subscription_data: [{ ...loud, value: true }],
    })
    const { page } = await site.logIn('member', { hash: '#inbox' })
    const context = page.context()
    await context.addInitScript(recording)
    await page.reload()
    tabs = [page, await context.newPage(), await context.newPage()]
    for (const tab of tabs) {
      if (tab !== page) await tab.goto(new URL('/#inbox', page.url()).href)
      await clientDrawn(tab)
    }
  })
  after(async () => {
    await tabs?.[0]?.context().close()
    await site?.close()
  })

  let last = 0

  /** Puts the tabs where they should be; the first one has the focus, if any has. */
  async function arrange(kind: 'direct' | 'topic', shown: readonly Place[], hasFocus: boolean) {
    await site.server.as('member').post('/mark_all_as_read')
    for (const [i, tab] of tabs.entries()) {
      const place = shown[i] ?? inbox
      await tab.evaluate(
        (isThere) => {
          const own = globalThis as unknown as Tab
          own.isThere = isThere
          own.ahead += 2000
          dispatchEvent(new Event(isThere ? 'focus' : 'blur'))
        },
        hasFocus && i === 0,
      )
      await tab.evaluate(() => location.assign('#recent'))
      await tab.getByRole('heading', { name: 'Recent conversations' }).waitFor()
      await tab.evaluate((to) => location.assign(to), place[kind])
      if (place[kind] !== '#inbox') {
        await tab.locator('.messages').waitFor({ state: 'attached' })
        await tab.locator('.pane-new').waitFor({ state: 'detached' })
      } else await tab.getByRole('heading', { name: 'Inbox' }).waitFor()
      await place.after?.(tab)
      await tab.evaluate(() => (globalThis as unknown as Tab).told.splice(0))
    }
  }

  /** All that the tabs have said, once they have announced a message that comes after it, if they announce any. */
  async function told(): Promise<readonly string[]> {
    last += 1
    const end = `the end ${last}`
    await site.server.say('othello', 'shared', 'ends', end)
    const all = async () => {
      const each = tabs.map((tab) => tab.evaluate(() => (globalThis as unknown as Tab).told))
      return (await Promise.all(each)).flat()
    }
    const ends = async () => (await all()).filter((line) => line === `shows ${end}`).length
    await eventually(ends, 1)
    // A tab that is slower has its turn.
    await tabs[0]?.waitForTimeout(300)
    return (await all()).filter((line) => !line.startsWith('shows the end'))
  }

  const kinds = {
    'a direct message': {
      kind: 'direct',
      come: (content: string) => site.server.say('othello', ['member'], '', content),
    },
    'a mention that an edit adds': {
      kind: 'topic',
      come: async (content: string) => {
        const id = await site.server.say('othello', 'public', 'tabs', 'No mention yet')
        await tabs[1]?.waitForTimeout(50)
        const edited = { content: `@**King Hamlet** ${content}` }
        await site.server.as('othello').patch(`/messages/${id}`, edited)
      },
    },
  } as const

  for (const [what, { kind, come }] of Object.entries(kinds)) {
    for (const place of kind === 'direct' ? places : places.slice(0, 3)) {
      const times = place.isReading ? 'not told' : 'told once'
      test(`${what} is ${times}, while someone is at ${place.name}`, async () => {
        await arrange(kind, [place, conversation, inbox], true)
        await come(`to ${place.name}`)
        const heard = await told()
        assert.equal(heard.length, place.isReading ? 0 : 2, heard.join('; '))
        assert.equal(heard.filter((line) => line === 'sounds').length, place.isReading ? 0 : 1)
      })
    }

    test(`${what} is told once, while nobody looks at any of them`, async () => {
      await arrange(kind, [conversation, inbox, conversation], false)
      await come('to nobody')
      const heard = await told()
      assert.equal(heard.length, 2, heard.join('; '))
    })
  }
})
