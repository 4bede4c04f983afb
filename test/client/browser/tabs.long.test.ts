import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { clientDrawn, openSite, type Site } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { eventually } from '#test/support/eventually.ts'

/**
 * Keeps what a page tells its user and which messages it asks the others about, and lets a story say
 * whether its window has the focus, and what time it is. Runs before the page's own scripts, as source,
 * because functions of a test need what its loader adds.
 */
const recording = `
globalThis.told = []
globalThis.asked = []
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
const { postMessage } = BroadcastChannel.prototype
BroadcastChannel.prototype.postMessage = function (word) {
  if (word.kind === 'ask') asked.push(word.telling.messageId)
  return postMessage.call(this, word)
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
  asked: number[]
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
    await member.patch('/settings', {
      notification_sound: 'ding',
      // Otherwise all of the topic is told after the first mention.
      automatically_follow_topics_where_mentioned: false,
    })
    for (let i = 0; i < 40; i++) {
      await site.server.say('othello', 'public', 'tabs', `Before ${i}\n\nand more`)
      await site.server.say('othello', ['member'], '', `Before ${i}\n\nand more`)
    }
    await site.server.say('othello', 'public', 'elsewhere', 'Before')
    await site.server.say('cordelia', ['member'], '', 'Before')
    // The last message of each story comes there, and is told without a sound.
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
        await tab.locator('.messages [data-message-id]').last().waitFor()
        await tab.locator('.pane-new').waitFor({ state: 'detached' })
      } else await tab.getByRole('heading', { name: 'Inbox' }).waitFor()
      await place.after?.(tab)
      await tab.evaluate(() => (globalThis as unknown as Tab).told.splice(0))
    }
  }

  const inAll = <T>(ask: (tab: Page) => Promise<T>) => Promise.all(tabs.map(ask))

  /** All that the tabs have said so far, but for the last messages of stories. */
  async function heard(): Promise<readonly string[]> {
    const each = await inAll((tab) => tab.evaluate(() => (globalThis as unknown as Tab).told))
    return each.flat().filter((line) => !line.startsWith('shows the end'))
  }

  /** All that the tabs have said of what has come, once each has decided whether it says that. */
  async function told(): Promise<readonly string[]> {
    const end = await site.server.say('othello', 'shared', 'ends', `the end ${++last}`)
    const asks = (tab: Page) =>
      tab.evaluate((id) => (globalThis as unknown as Tab).asked.includes(id), end)
    await eventually(() => inAll(asks), [true, true, true])
    // Each tab does this after what it still had to do: to wait for others, and to take a lock.
    await inAll((tab) =>
      tab.evaluate(async () => {
        await new Promise((resolve) => setTimeout(resolve, 300))
        await navigator.locks.request('last', () => undefined)
      }),
    )
    return await heard()
  }

  const kinds = {
    'a direct message': {
      kind: 'direct',
      mention: '',
      come: (content: string) => site.server.say('othello', ['member'], '', content),
    },
    'a mention that an edit adds': {
      kind: 'topic',
      mention: '@King Hamlet ',
      come: async (content: string) => {
        const id = await site.server.say('othello', 'public', 'tabs', 'No mention yet')
        // All tabs know of it, as of what came after it.
        await told()
        const edited = { content: `@**King Hamlet** ${content}` }
        await site.server.as('othello').patch(`/messages/${id}`, edited)
      },
    },
  } as const

  for (const [what, { kind, mention, come }] of Object.entries(kinds)) {
    for (const place of kind === 'direct' ? places : places.slice(0, 3)) {
      const times = place.isReading ? 'not told' : 'told once'
      test(`${what} is ${times}, while someone is at ${place.name}`, async () => {
        await arrange(kind, [place, conversation, inbox], true)
        const content = `to ${place.name}`
        await come(content)
        const expected = place.isReading ? [] : [`shows ${mention}${content}`, 'sounds']
        await eventually(heard, expected)
        assert.deepEqual(await told(), expected)
      })
    }

    test(`${what} is told once, while nobody looks at any of them`, async () => {
      await arrange(kind, [conversation, inbox, conversation], false)
      await come('to nobody')
      const expected = [`shows ${mention}to nobody`, 'sounds']
      await eventually(heard, expected)
      assert.deepEqual(await told(), expected)
    })
  }
})
