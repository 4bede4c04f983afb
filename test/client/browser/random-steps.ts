import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Person } from '#test/support/browser-page.ts'
import { createRandom } from '#test/support/drawing.ts'
import type { Actor, TestServer } from '#test/support/server.ts'

/** One thing that happens: what it is, for the log of a failure, and what does it. */
export interface Step {
  readonly name: string
  run(): Promise<unknown>
}

/** The views that a walk visits, each with the narrow that the API knows it by. */
export const walkedViews: readonly (readonly [hash: string, narrow: readonly object[]])[] = [
  ...(['one', 'two', 'three'] as const).map(
    (topic) =>
      [
        `#narrow/channel/3-Verona/topic/${topic}`,
        [
          { operator: 'channel', operand: 3 },
          { operator: 'topic', operand: topic },
        ],
      ] as const,
  ),
  ['#narrow/channel/4-Denmark', [{ operator: 'channel', operand: 4 }]],
  ['#narrow/dm/12-Othello', [{ operator: 'dm', operand: [12] }]],
  ['#feed', []],
  ['#narrow/is/starred', [{ operator: 'is', operand: 'starred' }]],
  ['#narrow/is/mentioned', [{ operator: 'is', operand: 'mentioned' }]],
]

const otherViews = ['#inbox', '#recent', '#drafts', '#topics/channel/3-Verona'] as const
const windows = [
  [1440, 900],
  [1024, 768],
  [390, 844],
  [800, 420],
] as const
const words = ['**bold**', '`code`', 'плова', 'שלום', 'https://example.com/', '_so_']
const emoji = ['octopus', 'tada', '+1', 'heart'] as const

/**
 * What a person does in a browser, what happens to the browser, and what others do by the API
 * meanwhile: at random, and the same for the same seed.
 */
export function randomSteps(server: TestServer, { page }: Person, seed: number): () => Step {
  const random = createRandom(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const one = <T>(from: readonly T[]) => from[below(from.length)] as T
  const other = () => one<Actor>(['othello', 'admin', 'owner'])
  const text = () => Array.from({ length: 1 + below(12) }, () => one(words)).join(' ')
  const sent: { readonly id: number; readonly by: Actor }[] = []
  let isOffline = false
  /** How many entries of the history, at least, belong to the walk. */
  let entries = 0

  async function say(): Promise<void> {
    const by = other()
    const topic = one(['one', 'two', 'three'])
    const content = below(8) === 0 ? `@**King Hamlet** ${text()}` : text()
    const kind = below(10)
    const id =
      kind === 0
        ? await server.say('othello', ['member'], '', content)
        : await server.say(by, kind < 4 ? 'public' : 'shared', topic, content)
    sent.push({ id, by: kind === 0 ? 'othello' : by })
  }

  async function open(hash: string): Promise<void> {
    const isNew = await page.evaluate((next) => {
      const differs = location.hash !== next
      location.hash = next
      return differs
    }, hash)
    if (isNew) entries += 1
  }

  /** Not beyond where the walk began, which is the log-in page. */
  async function back(): Promise<void> {
    if (entries === 0) return
    entries -= 1
    await page.evaluate(() => history.back())
  }

  async function setOffline(off: boolean): Promise<void> {
    isOffline = off
    await page.context().setOffline(off)
  }

  /** Most steps are what people do most. */
  const steps: readonly (readonly [weight: number, name: string, run: () => Promise<unknown>])[] = [
    [10, 'somebody writes', say],
    [
      6,
      'somebody edits',
      () => change((by, id) => server.as(by).patch(`/messages/${id}`, { content: text() })),
    ],
    [
      6,
      'somebody reacts',
      () =>
        change((_, id) =>
          server.as(other()).post(`/messages/${id}/reactions`, { emoji_name: one(emoji) }),
        ),
    ],
    [
      2,
      'somebody takes a reaction away',
      () =>
        change((_, id) =>
          server.as(other()).del(`/messages/${id}/reactions`, { emoji_name: one(emoji) }),
        ),
    ],
    [2, 'somebody deletes', () => change((_, id) => server.as('owner').del(`/messages/${id}`))],
    [
      2,
      'somebody moves a topic',
      () =>
        change((_, id) =>
          server.as('owner').patch(`/messages/${id}`, {
            topic: one(['one', 'two', 'three']),
            propagate_mode: one(['change_one', 'change_later', 'change_all']),
          }),
        ),
    ],
    [
      2,
      'somebody types',
      () =>
        server.as('othello').post('/typing', {
          op: 'start',
          type: 'channel',
          stream_id: 3,
          topic: one(['one', 'two']),
        }),
    ],
    [8, 'opens a view of messages', () => open(one(walkedViews)[0])],
    [3, 'opens another view', () => open(one(otherViews))],
    [3, 'goes back', back],
    [10, 'scrolls', () => scroll(page, one([-2000, -400, -60, 60, 400, 2000]))],
    [3, 'jumps by a key', () => press(page, one(['Home', 'End', 'PageUp', 'PageDown', 'n']))],
    [4, 'moves the selection', () => press(page, one(['k', 'k', 'j']))],
    [8, 'sends', () => send(page, text())],
    [5, 'reacts', () => press(page, '+')],
    [3, 'stars', () => press(page, 'Control+s')],
    [3, 'edits the last message', () => edit(page, text())],
    [2, 'marks as unread from here', () => press(page, 'Shift+U')],
    [3, 'opens and closes something', () => look(page, one(['?', 'i', ':', 'Control+k']))],
    [
      4,
      'closes something by Back',
      () => lookAndGoBack(page, one(['i', ':', 'Control+k', 'Shift+Y'])),
    ],
    [4, 'resizes the window', () => resize(page, one(windows))],
    [3, 'loses or regains the network', () => setOffline(!isOffline)],
  ]
  const total = steps.reduce((sum, [weight]) => sum + weight, 0)

  /** Refused where the message is gone. */
  async function change(act: (by: Actor, id: number) => Promise<unknown>): Promise<void> {
    const message = sent[sent.length - 1 - below(Math.min(sent.length, 12))]
    if (message) await act(message.by, message.id)
  }

  return () => {
    let at = below(total)
    const step = steps.find(([weight]) => {
      at -= weight
      return at < 0
    })
    if (!step) throw new Error('There is no such step.')
    const [, name, run] = step
    return { name, run }
  }
}

async function scroll(page: Page, by: number): Promise<void> {
  await page.evaluate((pixels) => {
    document.querySelector('.pane-scroller')?.scrollBy(0, pixels)
  }, by)
}

/** Presses a key outside of any text field. */
async function press(page: Page, key: string): Promise<void> {
  await page.evaluate(() => document.querySelector('main')?.focus())
  await page.keyboard.press(key)
}

/** Writes into the box of the conversation, where there is one, and sends it. */
async function send(page: Page, text: string): Promise<void> {
  const isWritten = await page.evaluate((content) => {
    const box = document.querySelector<HTMLTextAreaElement>('.compose .editor-text')
    if (!box?.checkVisibility()) return false
    box.focus()
    box.select()
    return document.execCommand('insertText', false, content)
  }, text)
  if (isWritten) await page.keyboard.press('Control+Enter')
}

async function edit(page: Page, text: string): Promise<void> {
  await press(page, 'ArrowLeft')
  const isOpen = await page.evaluate((content) => {
    const box = document.querySelector<HTMLTextAreaElement>('.edit-box .editor-text')
    if (!box) return false
    box.focus()
    box.select()
    return document.execCommand('insertText', false, content)
  }, text)
  if (isOpen) await page.keyboard.press('Control+Enter')
}

async function look(page: Page, key: string): Promise<void> {
  await press(page, key)
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)))
  await page.keyboard.press('Escape')
}

/** What lies over the page, such as a menu or a dialog. */
export const layers = 'dialog[open], .popover'

/** Opens something and closes it by Back, which leaves the view as it is. */
async function lookAndGoBack(page: Page, key: string): Promise<void> {
  const { hash } = new URL(page.url())
  await press(page, key)
  // Without a message there is nothing to open, and offline no part that was not loaded yet.
  const opened = page.locator(layers).first()
  const isOpen = await opened.waitFor({ timeout: 500 }).then(
    () => true,
    () => false,
  )
  if (!isOpen) return
  await page.evaluate(() => history.back())
  await opened.waitFor({ state: 'detached' })
  assert.equal(new URL(page.url()).hash, hash, `Back left the view from under what "${key}" opened`)
}

async function resize(page: Page, [width, height]: readonly [number, number]): Promise<void> {
  await page.setViewportSize({ width, height })
}
