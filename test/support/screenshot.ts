// `npm run screenshot` makes the picture in README.md: the web client in the development organization.
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openSite } from './browser-page.ts'

const file = fileURLToPath(new URL('../../.readme/web-client.png', import.meta.url))

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
  const { page } = await site.logIn('admin', {
    hash: `#narrow/channel/10-design/topic/seat.20map/near/${messages[1]?.id}`,
    context: {
      viewport: { width: 1280, height: 860 },
      deviceScaleFactor: 1.5,
      colorScheme: 'light',
      locale: 'en-GB',
    },
  })
  const pictures = page.locator('.message_inline_image img')
  await pictures.nth(1).waitFor()
  await page.waitForFunction(() => [...document.images].every((image) => image.complete))
  // Nothing is under the pointer.
  await page.mouse.move(1275, 855)
  mkdirSync(dirname(file), { recursive: true })
  await page.screenshot({ path: file, animations: 'disabled' })
  await page.context().close()
} finally {
  await site.close()
}
