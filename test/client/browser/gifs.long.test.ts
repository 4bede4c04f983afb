import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { addMenuHas, addToMessage } from '#test/support/add-menu.ts'
import { openSite, type Person, type Site } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { composed, emptyBox } from '#test/support/composed.ts'
import { gifPicture } from '#test/support/pictures.ts'
import { startVendor } from '#test/support/vendor.ts'

const box = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
const field = (page: Page) => page.getByRole('searchbox', { name: 'Search GIFs' })
const choices = (page: Page) => page.getByRole('listbox', { name: 'GIFs' }).getByRole('option')

/** Plays GIPHY. */
const vendor = await startVendor()
const media = `http://${vendor.host}/media`
const gif = (title: string) => ({
  title,
  rating: 'g',
  images: {
    downsized: { url: `${media}/${title.replace(' ', '-')}.gif` },
    fixed_width: { url: `${media}/small-${title.replace(' ', '-')}.gif`, width: 200, height: 100 },
  },
})
const answer: typeof vendor.answer = (response, { url }) => {
  if (url.pathname.startsWith('/media/')) {
    return response.writeHead(200, { 'content-type': 'image/gif' }).end(gifPicture(200, 100))
  }
  const query = url.searchParams.get('q')
  const offset = Number(url.searchParams.get('offset'))
  const count = query === 'nothing' ? 0 : offset === 0 ? 24 : 3
  const data = Array.from({ length: count }, (_, i) => gif(`${query ?? 'popular'} ${offset + i}`))
  return response.end(JSON.stringify({ data }))
}

describe('GIFs', { skip: noChromium }, () => {
  let site: Site
  let hamlet: Person
  before(async () => {
    site = await openSite({
      config: {
        allowedNetworks: ['127.0.0.1'],
        gifsUrl: `http://giphy:key@${vendor.host}/v1/gifs`,
      },
    })
    hamlet = await site.logIn('member', { hash: '#narrow/channel/4-Denmark/topic/cats' })
  })
  after(() => site.close())
  beforeEach(() => {
    vendor.answer = answer
  })

  test('one is found by keys, becomes a link, and is shown without contacting its provider', async () => {
    const { page } = hamlet
    const foreign: string[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).host === vendor.host) foreign.push(request.url())
    })
    await box(page).fill('Look:')
    await box(page).press('End')
    await addToMessage(page, 'GIFs')
    await choices(page).nth(23).waitFor()
    assert.equal(await choices(page).first().getAttribute('aria-label'), 'popular 0')
    await page.getByText('Powered by GIPHY').waitFor()
    await field(page).fill('cat')
    await page.getByRole('option', { name: 'cat 0' }).waitFor()
    await field(page).press('ArrowDown')
    await field(page).press('ArrowDown')
    assert.equal(await choices(page).nth(6).getAttribute('aria-selected'), 'true')
    const picture = choices(page).nth(6).locator('img')
    assert.ok(
      await picture.evaluate(async (img: HTMLImageElement) => {
        await img.decode()
        return img.naturalWidth
      }),
    )
    await field(page).press('Enter')
    await field(page).waitFor({ state: 'detached' })
    const link = `[cat 6](${media}/cat-6.gif)`
    assert.equal(await composed(page), `Look:\n${link}\n`)
    await box(page).press('Control+Enter')
    const shown = page.locator('[data-message-id] .message_inline_image img').last()
    await shown.waitFor()
    assert.match((await shown.getAttribute('src')) ?? '', /^\/external_content\//)
    assert.deepEqual(foreign, [])
  })

  test('more of them come at the end of the list, and a click takes one', async () => {
    const { page } = hamlet
    await box(page).fill('')
    await addToMessage(page, 'GIFs')
    await choices(page).nth(23).waitFor()
    await choices(page).last().scrollIntoViewIfNeeded()
    await page.getByRole('option', { name: 'popular 26' }).waitFor()
    await choices(page).nth(1).click()
    assert.equal(await composed(page), `[popular 1](${media}/popular-1.gif)\n`)
    await emptyBox(page)
  })

  test('what finds nothing says so, and a failure of the provider does', async () => {
    const { page } = hamlet
    await addToMessage(page, 'GIFs')
    await field(page).fill('nothing')
    await page.getByText('No GIF matches.').waitFor()
    vendor.answer = (response) => response.writeHead(500).end()
    hamlet.expectProblems(/400/)
    await field(page).fill('failure')
    await page.getByText('GIFs cannot be searched at the moment.').waitFor()
    // The first one empties the field.
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await field(page).waitFor({ state: 'detached' })
  })

  test('on a phone the search is in the menu of the compose box', async () => {
    const { page } = await site.logIn('cordelia', {
      hash: '#narrow/channel/4-Denmark/topic/cats',
      context: { viewport: { width: 390, height: 844 } },
    })
    await addToMessage(page, 'GIFs')
    await choices(page).nth(4).click()
    assert.equal(await composed(page), `[popular 4](${media}/popular-4.gif)\n`)
    await emptyBox(page)
  })

  test('an organization without GIFs offers none, from when its owner says so', async () => {
    const { page } = hamlet
    await addMenuHas(page, 'GIFs', true)
    const owner = await site.logIn('owner', { hash: '#organization/organization-settings' })
    const choice = owner.page.getByRole('combobox', { name: 'GIFs up to this rating' })
    await choice.selectOption('No GIFs')
    await addMenuHas(page, 'GIFs', false)
    await choice.selectOption('G: for everyone')
    await addMenuHas(page, 'GIFs', true)
  })
})

test('a server without a provider of GIFs offers none', { skip: noChromium }, async () => {
  const site = await openSite({})
  try {
    const { page } = await site.logIn('member', { hash: '#narrow/channel/4-Denmark/topic/cats' })
    await addMenuHas(page, 'Start a video call', true)
    await addMenuHas(page, 'GIFs', false)
  } finally {
    await site.close()
  }
})
