import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openSite } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { composed, composes, emptyBox } from '#test/support/composed.ts'
import { eventually } from '#test/support/eventually.ts'
import { give } from '#test/support/give.ts'
import { hold } from '#test/support/hold.ts'

const box = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })

/** Selects from one text to another, within the messages. */
async function select(page: Page, from: string, to: string): Promise<void> {
  await page.evaluate(
    ([first, last]) => {
      const walk = document.createTreeWalker(
        document.querySelector('.messages') ?? document.body,
        NodeFilter.SHOW_TEXT,
      )
      const range = document.createRange()
      let hasStart = false
      for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const text = node.textContent ?? ''
        if (!hasStart && text.includes(first)) {
          range.setStart(node, text.indexOf(first))
          hasStart = true
        }
        if (hasStart && text.includes(last)) range.setEnd(node, text.indexOf(last) + last.length)
      }
      const selection = getSelection()
      selection?.removeAllRanges()
      selection?.addRange(range)
    },
    [from, to] as const,
  )
}

/** Selects the whole message that was sent as the n-th. */
async function selectMessage(page: Page, id: number): Promise<void> {
  await page.evaluate((messageId) => {
    const body = document.querySelector(`[data-message-id="${messageId}"] :is(.rendered, .widget)`)
    if (!body) throw new Error('The message is not drawn.')
    getSelection()?.selectAllChildren(body)
  }, id)
}

interface Copied {
  readonly text: string
  readonly html: string
}

/** What the browser would put on the clipboard. The code for it may only be coming. */
async function copied(page: Page): Promise<Copied> {
  let copy: Copied = { text: '', html: '' }
  await eventually(async () => {
    copy = await copiedNow(page)
    return copy.text !== ''
  }, true)
  return copy
}

async function copiedNow(page: Page): Promise<Copied> {
  return await page.evaluate(() => {
    const clipboardData = new DataTransfer()
    const at = getSelection()?.anchorNode
    const target = at instanceof Element ? at : at?.parentElement
    target?.dispatchEvent(
      new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }),
    )
    return {
      text: clipboardData.getData('text/plain'),
      html: clipboardData.getData('text/html'),
    }
  })
}

/** Waits until the box has what was written, once the copy is pasted into it. */
async function pastesAs(page: Page, copy: Copied, written: string): Promise<void> {
  await box(page).fill('')
  await give(page, 'paste', copy)
  // The plain text comes first, and may be the same.
  await page.waitForTimeout(100)
  await eventually(() => box(page).inputValue(), written)
}

const sources: readonly string[] = [
  'a **b** c *d* ~~e~~ `f`',
  'see [this](https://example.com/x) and https://example.com/y?a=b',
  '[titled](https://example.com/x "of it")',
  'hi @**Iago** and @_**King Hamlet**',
  '@*hamletcharacters* and @_*role:administrators*',
  '#**Denmark** and #**Denmark>copying**',
  'inline $$x^2$$ math',
  '```math\n\\int_0^1 x\n```',
  '```javascript\nlet a = 1\n\n  b()\n```',
  '```spoiler Title **x**\nHidden\n```',
  '```spoiler\nHidden too\n```',
  'at <time:2026-03-07T15:00:00-08:00> then',
  'an :octopus: and :thumbs_up:',
  '- one\n- two\n  1. three\n- four',
  '> a\n> **b**',
  '| a | b |\n| :--- | ---: |\n| 1 | **2** |',
  '- ```python\n  x\n  ```',
  '> - a\n>   - b',
]

describe('copying from messages', { skip: noChromium }, async () => {
  if (noChromium) return
  const site = await openSite()
  after(() => site.close())
  const place = { type: 'channel', to: 'Denmark', topic: 'copying' }
  const member = site.server.as('member')
  const ids: number[] = []
  for (const content of [...sources, 'the last one']) {
    ids.push((await member.post<{ id: number }>('/messages', { ...place, content })).id)
  }
  const owner = site.server.as('owner')
  await owner.post('/messages', { ...place, content: 'an answer\n- x\n- y' })
  const { page } = await site.logIn('member', { hash: '#narrow/channel/4-Denmark/topic/copying' })
  await box(page).waitFor()

  test('a message that is copied and pasted is what was written', async () => {
    for (const [i, source] of sources.entries()) {
      await selectMessage(page, ids[i] ?? 0)
      await pastesAs(page, await copied(page), source)
    }
  })

  test('a copy by the first key that is pressed is the same once its code is there', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const letCome = await hold(page, /\/act-\w+\.js$/)
    await page.reload()
    const id = ids[sources.indexOf('- one\n- two\n  1. three\n- four')] ?? 0
    await page.locator(`[data-message-id="${id}"] .rendered`).waitFor()
    await selectMessage(page, id)
    await page.keyboard.press('ControlOrMeta+C')
    letCome()
    const text = () => page.evaluate(async () => await navigator.clipboard.readText())
    await eventually(text, '- one\n- two\n  1. three\n- four')
  })

  test('each sender is named once, with a blank line between messages', async () => {
    await select(page, 'the last', 'y')
    const { text, html } = await copied(page)
    assert.match(
      text,
      /^[^\n]+, \d+:\d\d [AP]M\nthe last one\n\n[^\n]+, \d+:\d\d [AP]M\nan answer\n\n- x\n- y$/,
    )
    assert.match(html, /^<p><strong>[^<]+<\/strong>, [^<]+<\/p><div>/)
  })

  test('words of one message are these words alone', async () => {
    await select(page, 'last', 'last')
    assert.deepEqual(await copied(page), { text: 'last', html: 'last' })
  })

  test('a quote of selected words quotes these, and of several messages each', async () => {
    await box(page).fill('')
    await select(page, 'last one', 'last one')
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    const row = page.locator(`[data-message-id="${ids.at(-1)}"]`)
    await row.hover()
    await row.getByRole('button', { name: 'Quote', exact: true }).click()
    await composes(page, /^@_\*\*.*:\n```quote\nlast one\n```/)
    await emptyBox(page)
  })

  const hiders: readonly (readonly [what: string, source: string])[] = [
    ['alone', '```spoiler Ending\nHe **dies**\n```'],
    ['below words', 'Seen?\n\n```spoiler Ending\nHe **dies**\n```'],
    ['in a quote', '> ```spoiler Ending\n> He **dies**\n> ```'],
    ['in another', '````spoiler Outer\n```spoiler Ending\nHe **dies**\n```\n````'],
  ]
  for (const [what, source] of hiders) {
    for (const isOpen of [false, true]) {
      for (const isAlone of [true, false]) {
        test(`a spoiler ${what}, ${isOpen ? 'open' : 'closed'}, ${isAlone ? 'copied alone' : 'copied with others'}, is what is seen of it as plain text`, async () => {
          const { id } = await member.post<{ id: number }>('/messages', {
            ...place,
            content: source,
          })
          const { id: next } = await member.post<{ id: number }>('/messages', {
            ...place,
            content: 'behind it',
          })
          await page.locator(`[data-message-id="${next}"] .rendered`).waitFor()
          const heads = page.locator(`[data-message-id="${id}"] .spoiler-header`)
          if (isOpen) for (const head of await heads.all()) await head.click()
          if (isAlone) await selectMessage(page, id)
          else {
            await page.evaluate(
              ([from, to]) => {
                const body = (each: number) =>
                  document.querySelector(`[data-message-id="${each}"] .rendered`) as Element
                getSelection()?.setBaseAndExtent(
                  body(from),
                  0,
                  body(to),
                  body(to).childNodes.length,
                )
              },
              [id, next] as const,
            )
          }
          const both = await copied(page)
          const isInner = what === 'in another'
          assert.equal(both.text.includes('Ending'), isOpen || !isInner)
          assert.equal(both.text.includes('dies'), isOpen)
          assert.equal(both.text.includes('behind it'), !isAlone)
          if (isAlone) await pastesAs(page, both, source)
        })
      }
    }
  }

  test('what is selected of several messages is quoted message by message, with its sender', async () => {
    const said: [number, string][] = []
    for (const actor of ['member', 'owner', 'owner', 'member'] as const) {
      const content = `words of ${actor} number ${said.length} end`
      const { id } = await site.server
        .as(actor)
        .post<{ id: number }>('/messages', { ...place, content })
      said.push([id, actor])
    }
    await page.locator(`[data-message-id="${said.at(-1)?.[0]}"] .rendered`).waitFor()
    for (const [first, last] of [
      [0, 1],
      [1, 2],
      [0, 3],
    ] as const) {
      await box(page).fill('')
      await select(page, `number ${first} end`, `words of ${said[last]?.[1]} number ${last}`)
      const row = page.locator(`[data-message-id="${said[first]?.[0]}"]`)
      await row.hover()
      await row.getByRole('button', { name: 'Quote', exact: true }).click()
      const ids = said.slice(first, last + 1).map(([id]) => String(id))
      let text = ''
      // The draft of the quotes before may be there for a moment.
      await eventually(async () => {
        text = await composed(page)
        return [...text.matchAll(/^@_.*near\/(\d+)/gm)].map(([, id]) => id)
      }, ids)
      const quotes = text.split(/(?=^@_)/m)
      assert.match(quotes[0] ?? '', new RegExp(`quote\nnumber ${first} end\n`))
      assert.match(quotes.at(-1) ?? '', new RegExp(`number ${last}\n`))
      await emptyBox(page)
    }
  })

  const codes = [
    'a\tb\n\n  c',
    '<b>&amp;</b> "x" \\',
    'é🙂 日本 שלום',
    'x'.repeat(5000),
    '  a',
    '``` a',
  ]
  test('the button of code copies what was written, whatever is in it', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    for (const code of codes) {
      for (const language of ['', 'js']) {
        const content = `~~~${language}\n${code}\n~~~`
        const { id } = await member.post<{ id: number }>('/messages', { ...place, content })
        await page.locator(`[data-message-id="${id}"] .code-copy`).dispatchEvent('click')
        const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
        await eventually(clipboard, `${code}\n`)
      }
    }
  })

  test('without the new kind of clipboard, code is copied by the old one', async () => {
    const text = await page.evaluate(async () => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })
      return await new Promise<string>((done) => {
        document.addEventListener(
          'copy',
          () =>
            done(
              document.activeElement instanceof HTMLTextAreaElement
                ? document.activeElement.value
                : '',
            ),
          { once: true },
        )
        document.querySelector<HTMLElement>('.code-copy')?.click()
      })
    })
    assert.equal(text, 'let a = 1\n\n  b()\n')
  })

  test('words in a wide table stay whole at every width, and the table scrolls', async () => {
    const cells = ['Owner', 'Cordelia', 'progress', 'Blocked', 'Responsibility', 'Announcement']
    const line = `| ${cells.join(' | ')} |`
    await member.post('/messages', {
      ...place,
      content: `${line}\n|${' --- |'.repeat(cells.length)}\n${line}`,
    })
    await page.getByRole('cell', { name: 'Announcement' }).last().waitFor()
    for (const width of [320, 390, 700, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      const lines = await page.evaluate(() =>
        [...document.querySelectorAll('.rendered td')]
          .filter((cell) => /^[A-Z]\w+$/.test(cell.textContent ?? ''))
          .map((cell) => {
            const range = document.createRange()
            range.selectNodeContents(cell)
            return range.getClientRects().length
          }),
      )
      assert.ok(lines.length > 0 && lines.every((count) => count === 1), `${width}: ${lines}`)
    }
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('printed are the messages, without bars and the box', async () => {
    await page.emulateMedia({ media: 'print' })
    assert.equal(await box(page).isVisible(), false)
    assert.equal(await page.locator('.left').isVisible(), false)
    assert.ok(await page.getByText('the last one').first().isVisible())
    assert.ok(
      await page.evaluate(() => {
        const scroller = document.querySelector('.pane-scroller')
        return scroller !== null && scroller.scrollHeight <= scroller.clientHeight + 1
      }),
    )
    await page.emulateMedia({ media: null })
  })

  test('a browser that translates leaves the head, the counts and the lists alone', async () => {
    const { page: translated } = await site.logIn('member', {
      hash: '#narrow/channel/4-Denmark/topic/copying',
    })
    await translated.locator('.rendered').first().waitFor()
    await translated.evaluate(() => {
      function translate() {
        const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
        const texts: Text[] = []
        for (let node = walk.nextNode(); node; node = walk.nextNode()) texts.push(node as Text)
        for (const text of texts) {
          const parent = text.parentElement
          if (parent?.translate !== true || parent.closest('textarea, font')) continue
          const [outer, inner] = [document.createElement('font'), document.createElement('font')]
          text.replaceWith(outer)
          outer.append(inner)
          inner.append(text)
        }
      }
      // Browsers translate what is drawn later as well.
      new MutationObserver(translate).observe(document.body, { childList: true, subtree: true })
      translate()
    })
    const words = translated.locator('.rendered font').filter({ hasText: /\S/, visible: true })
    await words.first().waitFor()
    assert.equal(await translated.locator('font:not(.rendered font)').count(), 0)
    for (const hash of [
      '#inbox',
      '#recent',
      '#narrow/channel/4-Denmark/topic/other',
      '#narrow/is/starred',
      '#narrow/channel/4-Denmark/topic/copying',
    ]) {
      for (const each of [page, translated]) {
        await each.evaluate((next) => location.assign(next), hash)
        await each.locator('main h1').first().waitFor()
        await each.waitForTimeout(200)
      }
      const [heads, others] = await Promise.all(
        [page, translated].map(async (each) => [
          await each.title(),
          await each.locator('main h1').first().textContent(),
          await each.locator('.left').textContent(),
        ]),
      )
      assert.deepEqual(others, heads, hash)
    }
  })
})
