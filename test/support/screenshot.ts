// `npm run screenshot` makes the pictures in README.md and in the web manifest: the web client in the
// development organization.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { openSite } from './browser-page.ts'

const file = fileURLToPath(new URL('../../.readme/web-client.png', import.meta.url))
const manifestFolder = new URL('../../src/client/screenshots/', import.meta.url)
/** The JPEG or WebP quality of the pictures in the manifest, which should load in a moment. */
const quality = 72

const site = await openSite({ fixture: { conversations: true } })
try {
  const { server } = site
  await server.as('owner').patch('/realm', { name: 'Curtain' })
  for (const actor of ['owner', 'member', 'cordelia', 'othello', 'zoe'] as const) {
    await server.as(actor).post('/users/me/presence', { status: 'active' })
  }
  const narrow = [
    ['channel', 'design'],
    ['topic', 'seat map'],
  ]
  const { messages } = await server.as('admin').get<{ messages: { id: number }[] }>('/messages', {
    narrow,
    anchor: 'oldest',
    num_before: 0,
    num_after: 2,
  })
  const hash = `#narrow/channel/10-design/topic/seat.20map/near/${messages[1]?.id}`
  const open = async (own: BrowserContextOptions, view = hash): Promise<Page> => {
    const context = { colorScheme: 'light', locale: 'en-GB', ...own } as const
    const { page } = await site.logIn('admin', { hash: view, context })
    await page.locator('[data-message-id]').nth(3).waitFor()
    await page.waitForFunction(() => [...document.images].every((image) => image.complete))
    return page
  }
  const keep = async (page: Page, name: string, scale = 1): Promise<void> => {
    const session = await page.context().newCDPSession(page)
    const size = page.viewportSize() ?? { width: 0, height: 0 }
    const options = { format: 'webp', quality, clip: { x: 0, y: 0, ...size, scale } } as const
    const { data } = await session.send('Page.captureScreenshot', options)
    taken.set(name, Buffer.from(data, 'base64'))
    await page.context().close()
  }
  // Written last: the server would bundle the client anew.
  const taken = new Map<string, Buffer>()
  const release = '#narrow/channel/11-devel/topic/release.202.2E0'
  await keep(await open({ viewport: { width: 1280, height: 800 } }, release), 'wide')
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  await keep(await open({ ...phone, deviceScaleFactor: 1.5 }, release), 'narrow', 1.5)
  const page = await open({ viewport: { width: 1280, height: 860 }, deviceScaleFactor: 1.5 })
  await page.locator('.message_inline_image img').nth(1).waitFor()
  // Nothing is under the pointer.
  await page.mouse.move(1275, 855)
  mkdirSync(dirname(file), { recursive: true })
  await page.screenshot({ path: file, animations: 'disabled' })
  await page.context().close()
  mkdirSync(manifestFolder, { recursive: true })
  for (const [name, picture] of taken) {
    writeFileSync(new URL(`${name}.webp`, manifestFolder), picture)
  }
} finally {
  await site.close()
}
