import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type DefaultTreeAdapterMap, parseFragment } from 'parse5'
import type { Page } from 'playwright-core'
import { openSite, workerReady } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { layers, randomSteps, walkedViews } from './random-steps.ts'
import { followSight } from './sight.ts'

/** The same walk each time, as a failure has to be one of the change; others, and longer ones, by hand. */
const seed = Number(process.env.WALK_SEED ?? 34_829)
const count = Number(process.env.WALK_STEPS ?? 150)

/** A message as it is shown, or as it should be. */
interface Shown {
  readonly id: number
  readonly text: string
  /** `octopus, by you & Iago`. */
  readonly reactions: readonly string[]
}

type Wire = {
  readonly id: number
  readonly content: string
  readonly reactions: readonly { readonly emoji_name: string; readonly user_id: number }[]
}

type Node = DefaultTreeAdapterMap['node']

const plain = (text: string) => text.replace(/\s+/g, ' ').trim()

function textOf(node: Node): string {
  if ('value' in node) return node.value
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : ''
}

const listing = new Intl.ListFormat('en', { type: 'conjunction', style: 'short' })

/** @param names of all people by their id */
function expected({ id, content, reactions }: Wire, names: ReadonlyMap<number, string>): Shown {
  const emoji = [...new Set(reactions.map(({ emoji_name }) => emoji_name))]
  return {
    id,
    text: plain(textOf(parseFragment(content))),
    reactions: emoji.map((name) => {
      const votes = reactions.filter(({ emoji_name }) => emoji_name === name)
      return `${name}, by ${listing.format(votes.map(({ user_id }) => names.get(user_id) ?? ''))}`
    }),
  }
}

/** The messages in the document, in its order. */
async function shownOn(page: Page): Promise<Shown[]> {
  const rows = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.messages [data-message-id]')].map((row) => {
      const body = row.querySelector('.rendered')?.cloneNode(true) as HTMLElement | undefined
      // A notice links to the message that was moved, which the client shows beside the link.
      for (const card of body?.querySelectorAll('.linked-message-card') ?? []) card.remove()
      return {
        id: Number(row.dataset.messageId),
        text: body?.textContent ?? '',
        reactions: [...row.querySelectorAll('.reaction')].map((chip) => chip.ariaLabel ?? ''),
      }
    }),
  )
  return rows.map((row) => ({ ...row, text: plain(row.text) }))
}

/** What the side bar counts as unread, by channel or direct conversation. */
async function countsOn(page: Page): Promise<Record<string, number>> {
  return await page.evaluate(() => {
    const links = [...document.querySelectorAll<HTMLAnchorElement>('nav.left a.side-link')]
    const rows = links.flatMap((link) => {
      const [, kind, id] = /^#narrow\/(channel|dm)\/([\d,]+)/.exec(link.hash) ?? []
      const count = Number(link.querySelector('.count [aria-hidden]')?.textContent ?? 0)
      const isTopic = link.closest('.side-topics') !== null
      return kind && count > 0 && !isTopic ? [[`${kind} ${id}`, count] as const] : []
    })
    return Object.fromEntries(rows)
  })
}

/** Waits until two views of the same are equal, and fails with their difference if they never are. */
async function becomesEqual<T>(what: string, look: () => Promise<readonly [T, T]>): Promise<void> {
  const deadline = performance.now() + 30_000
  for (;;) {
    const [actual, wanted] = await look()
    try {
      assert.deepEqual(actual, wanted, `${what}, seed ${seed}`)
      return
    } catch (error) {
      if (performance.now() > deadline) throw error
    }
    await sleep(50)
  }
}

describe('a random walk', { skip: noChromium }, async () => {
  if (noChromium) return
  const site = await openSite()
  after(() => site.close())
  const { server } = site
  const member = server.as('member')

  test(`of ${count} steps ends with what the API says`, async (t) => {
    t.diagnostic(`WALK_SEED=${seed} WALK_STEPS=${count}`)
    // More than are drawn at once.
    for (let i = 0; i < 270; i++) {
      await server.say(i % 3 ? 'othello' : 'admin', 'shared', i % 6 ? 'one' : 'two', `Number ${i}`)
    }
    const context = { serviceWorkers: 'allow' } as const
    const person = await site.logIn('member', { hash: '#recent', context })
    const { page } = person
    // By then it has kept what is opened without a network.
    await workerReady(page)
    // Reacting twice, editing what is too old or gone, and the like.
    person.expectProblems(/40[04] \((Bad Request|Not Found)\)/)
    const { members } = await member.get<{ members: { user_id: number; full_name: string }[] }>(
      '/users',
    )
    const names = new Map(members.map(({ user_id, full_name }) => [user_id, full_name]))
    names.set(member.id, 'you')
    const sight = await followSight(page)
    await page.evaluate((hash) => location.assign(hash), walkedViews[0]?.[0] ?? '')
    const next = randomSteps(server, person, seed)
    const log: string[] = []
    for (let i = 0; i < count; i++) {
      const { name, run } = next()
      log.push(name)
      await run()
      const rows = await page.locator('[data-message-id]').count()
      const said = `seed ${seed}, step ${i}: ${log.slice(-10).join(', ')}`
      assert.ok(rows <= 250, `${rows} rows; ${said}`)
      assert.deepEqual(person.problems, [], said)
      await sight.check(said)
      // A menu that a key has closed leaves the document a moment later.
      const open = /^opens a.* view/.test(name) ? await page.locator(layers).count() : 0
      assert.equal(open, 0, `something is left open; ${said}`)
    }

    await page.context().setOffline(false)
    await page.setViewportSize({ width: 1440, height: 900 })
    for (const [hash, narrow] of walkedViews) {
      await page.evaluate((to) => {
        location.hash = to
      }, hash)
      await becomesEqual(hash, async () => {
        // An edit that was begun hides the message, wherever it is.
        const cancel = page.locator('.edit-box').getByRole('button', { name: 'Cancel' })
        if ((await cancel.count()) > 0) await cancel.first().click()
        const shown = await shownOn(page)
        const { messages } = await member.get<{ messages: Wire[] }>('/messages', {
          anchor: 'newest',
          num_before: 1000,
          num_after: 0,
          narrow,
        })
        // A stretch of the list is drawn, of 40 rows at least if there are so many.
        const [first, last] = [shown[0], shown.at(-1)]
        const isEnough = first && last && shown.length >= Math.min(40, messages.length)
        const drawn = isEnough
          ? messages.filter(({ id }) => id >= first.id && id <= last.id)
          : messages
        return [shown, drawn.map((message) => expected(message, names))]
      })
    }
    await becomesEqual('counts', async () => {
      const { unread_msgs } = await member.post<{
        unread_msgs: {
          streams: { stream_id: number; unread_message_ids: number[] }[]
          pms: { other_user_id: number; unread_message_ids: number[] }[]
        }
      }>('/register', { fetch_event_types: ['update_message_flags'], event_types: [] })
      const counts: Record<string, number> = {}
      for (const { stream_id, unread_message_ids } of unread_msgs.streams) {
        const key = `channel ${stream_id}`
        counts[key] = (counts[key] ?? 0) + unread_message_ids.length
      }
      for (const { other_user_id, unread_message_ids } of unread_msgs.pms) {
        counts[`dm ${other_user_id}`] = unread_message_ids.length
      }
      return [await countsOn(page), counts]
    })
    assert.deepEqual(await page.locator('.outbox li').allTextContents(), [])
  })
})
