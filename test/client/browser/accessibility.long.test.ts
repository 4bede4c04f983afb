import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { colourViolations, violations } from '#test/support/axe.ts'
import { openSite } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import type { Actor } from '#test/support/server.ts'
import { places, settling } from './places.ts'

/** Which between them have all colours of text. */
const contrastViews = places.filter(([what]) =>
  ['inbox', 'topic', 'mentions', 'channels', 'settings: Preferences', 'a person'].includes(what),
)

/** As they are for people who may not change what is there. */
const lockedViews: typeof places = [
  ['general settings of a channel', '#channels/3/Verona/general'],
  ['permissions of the organization', '#organization/organization-permissions'],
  ['people', '#organization/users'],
  ['the server', '#organization/server'],
]

describe('axe finds nothing wrong', { skip: noChromium }, async () => {
  if (noChromium) return
  const site = await openSite({ config: { ownersOperate: true } })
  after(() => site.close())
  const owner = site.server.as('owner')
  const to = { type: 'channel', to: 'Verona', topic: 'plans' }
  const content =
    '@**King Hamlet** a plan with `code`, a [link](https://example.com) and\n\n> a quote'
  await owner.post('/messages', { ...to, content })
  await owner.post('/messages', { ...to, content: '/poll When?\nToday\nTomorrow' })
  await site.server.as('member').post('/messages', { ...to, content: '@**Desdemona** Psst' })
  await site.server
    .as('member')
    .post('/messages', { type: 'direct', to: [site.server.ids.owner], content: 'Psst' })

  describe('in any view, in the light and in the dark', () => lookAt('owner', places))

  describe('where the user may change nothing', () => lookAt('member', lockedViews))

  test('more contrast gives all text 7:1, by the setting or by the system, and underlines links', async () => {
    const { page } = await site.logIn('owner', { context: { bypassCSP: true } })
    const settled = settling(page)
    const hasContrast = () =>
      page.evaluate(() => document.documentElement.hasAttribute('data-contrast'))
    assert.equal(await hasContrast(), false)
    await page.emulateMedia({ contrast: 'more' })
    await page.locator('html[data-contrast]').waitFor()
    await page.emulateMedia({ contrast: 'no-preference' })
    await page.locator('html:not([data-contrast])').waitFor()
    await owner.patch('/settings', { high_contrast_mode: true })
    await page.locator('html[data-contrast]').waitFor()
    for (const [what, hash] of contrastViews) {
      await page.evaluate((next) => location.assign(next), hash)
      await settled()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        const found = await colourViolations(page, 'html', 'color-contrast-enhanced')
        assert.deepEqual(found, [], `${what}, ${colorScheme}`)
      }
    }
    await page.evaluate(() => location.assign('#narrow/channel/3-Verona/topic/plans'))
    const link = page.locator('.rendered a', { hasText: 'link' })
    await link.waitFor()
    assert.match(
      await link.evaluate((element) => getComputedStyle(element).textDecorationLine),
      /underline/,
    )
    await owner.patch('/settings', { high_contrast_mode: false })
  })

  test('nothing moves for people who asked for less motion', async () => {
    const { page } = await site.logIn('owner', { context: { bypassCSP: true } })
    const settled = settling(page)
    for (const [what, hash] of [...contrastViews, ['a page', '/login/'], ['help', '/help/']]) {
      await page.goto(new URL(hash ?? '', page.url()).href)
      await settled()
      await page.emulateMedia({ reducedMotion: 'no-preference' })
      const usual = await page.evaluate<Motion>(motion)
      await page.emulateMedia({ reducedMotion: 'reduce' })
      const reduced = await page.evaluate<Motion>(motion)
      const isClient = hash?.startsWith('#')
      assert.equal(usual.rules.length > 5, isClient, what)
      assert.deepEqual(reduced, { rules: [], smooth: [] }, what)
    }
  })

  /** Looks at one view after the other in the window of a user. */
  function lookAt(actor: Actor, all: typeof places): void {
    let page: Page
    let settled: () => Promise<void>
    before(async () => {
      page = (await site.logIn(actor, { context: { bypassCSP: true } })).page
      settled = settling(page)
    })
    const known = new Set<string>()
    const schemes: ('light' | 'dark')[] = ['light', 'dark']
    for (const [what, hash, button] of all) {
      test(what, async () => {
        await page.evaluate((next) => location.assign(next), hash)
        await settled()
        if (button) await page.getByRole('button', { name: button }).click()
        // What is beside all views, and around all pages of an overlay, is looked at once.
        const [overlay = ''] = hash.split('/')
        const inside = await innermost(page, known.has(overlay))
        const around = known.size > 0 ? { without: sides } : {}
        const isNew = inside === 'main' || !known.has(overlay)
        const place = isNew ? around : { within: inside }
        assert.deepEqual(await violations(page, { ...place, colourless: true }), [])
        for (const colorScheme of schemes) {
          await page.emulateMedia({ colorScheme })
          const colours = await colourViolations(page, known.size > 0 ? inside : 'html')
          assert.deepEqual(colours, [], colorScheme)
        }
        // The next view begins with the one that is on now: to change it draws everything anew.
        schemes.reverse()
        if (button) await page.getByRole('button', { name: 'Cancel' }).click()
        known.add(overlay)
      })
    }
  }
})

interface Motion {
  /** What takes longer than a blink. */
  readonly rules: readonly string[]
  /** What scrolls smoothly. */
  readonly smooth: readonly string[]
}

/**
 * Everything in the style sheets of a page that moves in its media of now, whether or not an element has it:
 * the values are those that an element with the rule would have. As source, as `newLooks` of `axe.ts`.
 */
const motion = `(() => {
  const probe = document.body.appendChild(document.createElement('i'))
  const found = { rules: [], smooth: [] }
  const longest = (times) =>
    Math.max(...times.split(', ').map((time) => parseFloat(time) * (time.endsWith('ms') ? 1 : 1000)))
  const look = (rules) => {
    for (const rule of rules) {
      const { style, cssRules, media } = rule
      if (style) {
        probe.style.cssText = ''
        for (const name of ['transition', 'animation', 'scroll-behavior']) {
          const value = style.getPropertyValue(name)
          if (value) probe.style.setProperty(name, value)
        }
        const { transitionDuration, animationName, animationDuration, scrollBehavior } =
          getComputedStyle(probe)
        const ms = [transitionDuration, ...(animationName === 'none' ? [] : [animationDuration])].map(longest)
        if (Math.max(...ms) > 1) found.rules.push(rule.selectorText)
        if (scrollBehavior === 'smooth') found.smooth.push(rule.selectorText)
      }
      if (cssRules && (!media || matchMedia(media.mediaText).matches)) look(cssRules)
    }
  }
  for (const sheet of document.styleSheets) look(sheet.cssRules)
  probe.remove()
  return found
})()`

/** Selects the form that is open, or the page of an overlay whose frame is known, or the view. */
async function innermost(page: Page, isFrameKnown: boolean): Promise<string> {
  const places = ['dialog[open] ~ dialog[open]', 'dialog[open] .settings-pane', 'dialog[open]']
  for (const place of isFrameKnown ? places : places.slice(2)) {
    if ((await page.locator(place).count()) > 0) return place
  }
  return 'main'
}

/** The same beside all views. */
const sides = ['nav.left', 'aside.right']
