import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { clientDrawn, openSite, type Site } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'

/** What a desktop app around the page was told, and the listeners that it has. */
interface Desk {
  readonly told: Record<string, unknown>
  readonly listeners: Record<string, () => void>
}

describe('in a desktop app', { skip: noChromium }, async () => {
  if (noChromium) return
  const site: Site = await openSite()
  after(() => site.close())
  const { server } = site
  const { page } = await site.logIn('member', { hash: '#inbox' })
  await page.addInitScript(() => {
    const desk: Desk = { told: {}, listeners: {} }
    Object.assign(globalThis, {
      desk,
      electron_bridge: {
        send_event: (name: string, value: unknown) => {
          desk.told[name] = value
        },
        on_event: (name: string, listener: () => void) => {
          desk.listeners[name] = listener
        },
        get_idle_on_system: () => false,
      },
    })
  })
  await page.reload()
  await clientDrawn(page)

  const told = (name: string, value: unknown) =>
    page.waitForFunction(
      ([event, wanted]) =>
        (globalThis as unknown as { desk: Desk }).desk.told[event as string] === wanted,
      [name, value],
    )

  test('the side bar of the app is told name, icon and unread messages', async () => {
    await told('realm_name', 'Zulip Dev')
    const icon = new RegExp(`^${server.url}/`)
    const url = await page.evaluate(
      () => (globalThis as unknown as { desk: Desk }).desk.told.realm_icon_url,
    )
    assert.match(String(url), icon)
    await server.say('othello', 'shared', 'desktop', 'One')
    await told('total_unread_count', 1)
  })

  test('the title begins with a whole number that apps can read, however large', async () => {
    const say = () => server.say('othello', 'shared', 'desktop', 'More')
    for (let i = 0; i < 20; i++) await Promise.all(Array.from({ length: 50 }, say))
    await told('total_unread_count', 1001)
    await page.waitForFunction(() => /^\((\d+)\)/.exec(document.title)?.[1] === '1001')
  })

  test('its menu opens pages of the client', async () => {
    await page.evaluate(() =>
      (globalThis as unknown as { desk: Desk }).desk.listeners['show-notification-settings']?.(),
    )
    await page.getByRole('heading', { name: 'Notifications', exact: true }).first().waitFor()
  })
})
