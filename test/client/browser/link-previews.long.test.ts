import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { clientDrawn, openSite, type Person, type Site } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { pngPicture } from '#test/support/pictures.ts'

describe('link previews', { skip: noChromium }, () => {
  let site: Site
  let hamlet: Person
  const outside = createServer((request, response) => {
    if (request.url === '/cat.png') {
      response.writeHead(200, { 'Content-Type': 'image/png' }).end(pngPicture())
      return
    }
    const picture = request.url === '/broken' ? '/gone.png' : '/cat.png'
    response
      .writeHead(request.url === '/gone.png' ? 404 : 200, { 'Content-Type': 'text/html' })
      .end(
        `<meta property="og:title" content="The garden in autumn"><meta property="og:image" content="${picture}">` +
          '<meta property="og:description" content="What to plant before the first frost, and what to leave until spring.">',
      )
  })
  const at = (path: string) => `http://127.0.0.1:${(outside.address() as AddressInfo).port}${path}`
  const topic = '#narrow/channel/4-Denmark/topic/garden'

  before(async () => {
    outside.listen(0, '127.0.0.1')
    await once(outside, 'listening')
    site = await openSite({ config: { allowedNetworks: ['127.0.0.1'] } })
    await site.server.as('owner').patch('/realm', { inline_url_embed_preview: true })
    hamlet = await site.logIn('member', { hash: topic })
    // A picture that is not there, and a message that the reader may not read.
    hamlet.expectProblems(/status of 40[04]/)
  })
  after(async () => {
    outside.closeAllConnections()
    outside.close()
    await site.close()
  })

  const say = async (actor: 'member' | 'owner', content: string) => {
    const reply = await site.server
      .as(actor)
      .post('/messages', { type: 'channel', to: 'Denmark', topic: 'garden', content })
    return Number(reply.id)
  }
  const row = (id: number) => hamlet.page.locator(`[data-message-id="${id}"]`)

  const openMenu = async (id: number) => {
    await row(id).hover()
    await row(id).getByRole('button', { name: 'More actions' }).click()
  }

  test('a page has a card below its link, whose author can hide it and take that back', async () => {
    const { page } = hamlet
    const own = await say('member', `Read this: ${at('/garden')}`)
    const card = row(own).locator('.message_embed')
    await card.getByRole('link', { name: 'The garden in autumn' }).waitFor()
    const picture = card.locator('img')
    assert.match((await picture.getAttribute('src')) ?? '', /^\/external_content\//)
    await openMenu(own)
    await page.getByRole('menuitem', { name: 'Hide link previews' }).click()
    await card.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await card.waitFor()
    const others = await say('owner', `This as well: ${at('/garden')}`)
    await row(others).locator('.message_embed').waitFor()
  })

  test('a reader can hide the cards of others from themselves, also after a reload', async () => {
    const { page } = hamlet
    const id = await say('owner', `For some: ${at('/garden?hidden')}`)
    const bare = await say('owner', 'Nothing is linked here.')
    const card = row(id).locator('.message_embed')
    await card.waitFor()
    await openMenu(bare)
    await page.getByRole('menuitem', { name: 'Copy link' }).waitFor()
    assert.equal(await page.getByRole('menuitem', { name: 'Hide link previews' }).count(), 0)
    await page.keyboard.press('Escape')
    await openMenu(id)
    await page.getByRole('menuitem', { name: 'Hide link previews' }).click()
    await card.waitFor({ state: 'hidden' })
    const { message } = await site.server
      .as('owner')
      .get<{ message: { content: string; flags: string[] } }>(`/messages/${id}`)
    assert.match(message.content, /message_embed/)
    assert.ok(!message.flags.includes('hide_link_previews'))
    await page.reload()
    await clientDrawn(page)
    await row(id).waitFor()
    assert.equal(await card.isVisible(), false)
    await openMenu(id)
    await page.getByRole('menuitem', { name: 'Show link previews' }).click()
    await card.waitFor()
  })

  test('a picture that does not come is not shown', async () => {
    const id = await say('owner', at('/broken'))
    await row(id).locator('.message_embed').waitFor()
    await row(id).locator('.message_embed_image').waitFor({ state: 'detached' })
  })

  test('a link to a message shows its author and beginning to those who may read it', async () => {
    const id = await say('owner', 'Tulips go **deep** into the ground.')
    const link = `${site.server.server.url}/#narrow/channel/4-Denmark/topic/garden/near/${id}`
    const open = await say('member', `As [she said](${link})`)
    const card = row(open).locator('.linked-message-card')
    await card.getByText('Tulips go deep into the ground.').waitFor()
    await card.getByText('Desdemona').waitFor()
    const { id: secret } = await site.server
      .as('owner')
      .post('/messages', { type: 'direct', to: [site.server.ids.othello], content: 'Secret' })
    const closed = await say(
      'owner',
      `${link.replace(/\/near\/\d+$/, `/near/${secret}`)} and ${link}`,
    )
    await row(closed).locator('.linked-message-card').waitFor()
    assert.equal(await row(closed).locator('.linked-message-card').count(), 1)
  })
})
