import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { redirectUri } from '#features/foundation/identity-providers/json.ts'
import { violations } from '#test/support/axe.ts'
import {
  clientDrawn,
  openSite,
  type Person,
  partLoaded,
  type Site,
  workerReady,
} from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { startProvider, type TestProvider } from '#test/support/identity-provider.ts'

describe('getting in and out', { skip: noChromium }, () => {
  let site: Site
  let provider: TestProvider
  before(async () => {
    provider = await startProvider()
    site = await openSite({
      config: { allowedNetworks: ['127.0.0.1'], identityProviders: [provider.settings] },
    })
    provider.register(redirectUri(site.server.server.context, provider.settings.id))
  })
  after(async () => {
    await provider.close()
    await site.close()
  })

  const inbox = '#inbox'
  const channels = (person: Person) =>
    person.page.getByRole('navigation', { name: 'Views and channels' })
  const hashOf = ({ page }: Person) => new URL(page.url()).hash
  const atLogin = async ({ page }: Person) => await page.waitForURL(/\/login\//)

  test('the link that was opened outlasts the log-in by password', async () => {
    const person = await site.visit(`/#narrow/channel/${site.server.channels.shared}`)
    await atLogin(person)
    const { page } = person
    await page.fill('#email', 'hamlet@zulip.com')
    await page.fill('#password', 'wrong')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('alert').waitFor()
    person.expectProblems(/400 \(Bad Request\)/)
    await page.fill('#password', 'hamlet-password')
    const typeOf = () => page.locator('#password').getAttribute('type')
    await page.getByRole('button', { name: 'Show password' }).click()
    assert.equal(await typeOf(), 'text')
    await page.getByRole('button', { name: 'Hide password' }).click()
    assert.equal(await typeOf(), 'password')
    await page.getByRole('button', { name: 'Show password' }).click()
    await page.getByRole('button', { name: 'Log in' }).click()
    await channels(person).waitFor()
    assert.match(hashOf(person), /^#narrow\/channel\/3/)
    await page.context().close()
  })

  test('pages without the client have its typeface', async () => {
    const { page } = await site.visit('/login/')
    for (const path of ['/login/', '/help/', '/api/']) {
      await page.goto(new URL(path, page.url()).href)
      await page.waitForFunction(() =>
        [...document.fonts].some(({ family, status }) => family === 'Inter' && status === 'loaded'),
      )
    }
    await page.context().close()
  })

  for (const locale of ['en', 'ar']) {
    test(`on the narrowest screen, no page without the client scrolls sideways: ${locale}`, async () => {
      const viewport = { width: 320, height: 568 }
      const { page } = await site.visit('/login/', { viewport, locale })
      for (const path of ['/login/', '/help/', '/help/people/search', '/api/']) {
        await page.goto(new URL(path, page.url()).href)
        const rest = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        assert.ok(rest <= 0, `${path} is ${rest} px too wide`)
        const at = await page.locator('h1').boundingBox()
        assert.ok(at && at.x >= 0 && at.x + at.width <= viewport.width, path)
      }
      await page.context().close()
    })
  }

  test('what was kept in a tab goes with its session, however that ends', async () => {
    const kept = { 'parley:forms:8': '{"typed":1}', 'parley:places': '[]' }
    const keep = (entries: object) => {
      for (const [name, value] of Object.entries(entries)) sessionStorage.setItem(name, value)
    }
    const left = () => Object.keys(sessionStorage).filter((name) => name !== 'parley:tab-of')
    const person = await site.logIn('cordelia')
    await channels(person).waitFor()
    await person.page.evaluate(keep, kept)
    await person.page.reload()
    await channels(person).waitFor()
    assert.ok((await person.page.evaluate(left)).includes('parley:forms:8'), 'the same session')
    await site.server.as('cordelia').del('/users/me/sessions')
    person.expectProblems(/401|Unauthorized/)
    await atLogin(person)
    await person.page.waitForFunction(() => Object.keys(sessionStorage).length === 0)
    await person.page.evaluate(keep, kept)
    // Someone else comes back into the tab without the log-in page.
    await person.page.context().close()
    const other = await site.logIn('zoe')
    await other.page.evaluate(keep, { ...kept, 'parley:tab-of': '8' })
    await other.page.reload()
    await channels(other).waitFor()
    assert.equal((await other.page.evaluate(left)).includes('parley:forms:8'), false)
    await other.page.context().close()
  })

  test('the button of a provider logs in with its account, and leads to the same view', async () => {
    provider.person = { sub: 'aaron', email: 'aaron@zulip.com', email_verified: true }
    const person = await site.visit('/#recent')
    await atLogin(person)
    await person.page.getByRole('link', { name: 'Continue with Our Accounts' }).click()
    await channels(person).waitFor()
    assert.equal(hashOf(person), '#recent')
    await person.page.context().close()
  })

  test('people without an account read what is public, until they log in', async () => {
    const { server } = site
    const rome = server.channels.webPublic
    await server.as('owner').patch('/realm', { enable_spectator_access: true })
    await server.say('owner', 'webPublic', 'plans', '```spoiler Who?\nThe *butler*.\n```')
    const link = `#narrow/channel/${rome}-Rome/topic/plans`
    const person = await site.visit(`/${link}`, { bypassCSP: true })
    const { page } = person
    const calls: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/json/')) calls.push(pathname)
    })
    await page.reload()
    assert.equal(new URL(page.url()).pathname, '/public/')
    assert.equal(hashOf(person), link)
    await page.getByRole('button', { name: 'Who?' }).press('Enter')
    await page.getByText('The butler.').waitFor()
    assert.deepEqual(await violations(page), [])
    const list = page.getByRole('navigation', { name: 'Channels' })
    await list.getByRole('link', { name: 'plans' }).waitFor()
    assert.deepEqual(await list.getByRole('link').allTextContents(), [
      'All public channels',
      'Rome',
      'plans',
    ])
    assert.equal(await page.getByRole('textbox').count(), 0)
    assert.deepEqual(
      [...new Set(calls)].sort(),
      ['/json/messages', '/json/register', `/json/users/me/${rome}/topics`].sort(),
    )
    const hidden = `#narrow/channel/${server.channels.public}`
    await page.evaluate((hash) => location.assign(hash), hidden)
    await page.getByText('To read this, you need an account.').waitFor()
    await page.getByRole('banner').getByRole('link', { name: 'Log in' }).click()
    await page.getByRole('button', { name: 'King Hamlet' }).click()
    await channels(person).waitFor()
    assert.equal(hashOf(person).startsWith(hidden), true)
    // The client does not take what everyone gets for the state of an account whose session ended.
    person.expectProblems(/401 \(Unauthorized\)/)
    await page.addInitScript(() => localStorage.removeItem('parley:kept'))
    await page.route('**/json/register', async (route) => {
      await page.context().clearCookies()
      await route.continue()
    })
    await page.reload()
    await atLogin(person)
    await server.as('owner').patch('/realm', { enable_spectator_access: false })
    await page.context().close()
  })

  test('logging out leaves nothing of the user behind, and leads to the log-in page', async () => {
    const person = await site.logIn('othello', { hash: inbox })
    const { page } = person
    await page.evaluate(() => localStorage.setItem('parley:something', 'typed'))
    await page.getByRole('button', { name: 'Your menu' }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await atLogin(person)
    const left = await page.evaluate(() => Object.keys(localStorage))
    assert.deepEqual(left, [])
    person.expectProblems(/401 \(Unauthorized\)/)
    await page.goto('/#inbox')
    await atLogin(person)
    await page.context().close()
  })

  test('a session that ends elsewhere leads to the log-in page and back to the view', async () => {
    const person = await site.logIn('prospero', { hash: '#recent' })
    await site.server.as('prospero').patch('/settings', {
      old_password: 'prospero-password',
      new_password: 'another password',
    })
    await atLogin(person)
    assert.equal(hashOf(person), '#recent')
    person.expectProblems(/401 \(Unauthorized\)/)
    await person.page.getByRole('button', { name: 'Prospero from The Tempest' }).click()
    await channels(person).waitFor()
    assert.equal(hashOf(person), '#recent')
    await person.leave()
  })

  test('a deactivated account leads to the log-in page, and no further', async () => {
    const person = await site.logIn('zoe')
    await site.server.as('owner').del(`/users/${site.server.ids.zoe}`)
    await atLogin(person)
    person.expectProblems(/40[13] \((Unauthorized|Forbidden)\)/)
    assert.equal(await person.page.getByRole('button', { name: 'Zoe' }).count(), 0)
    await person.leave()
  })

  test('whoever logs in as someone else in another tab gets their chat in both', async () => {
    // Else the first tab would hear of their presence, and ask for more as them.
    await site.server.as('admin').patch('/settings', { presence_enabled: false })
    const person = await site.logIn('cordelia', { hash: inbox })
    const other = await person.page.context().newPage()
    await other.goto('/login/')
    await other.getByRole('button', { name: 'Iago', exact: true }).click()
    await clientDrawn(other)
    await person.page.waitForFunction(
      () => document.querySelector('.self-button')?.getAttribute('title') === 'Iago',
    )
    person.expectProblems(/40[013] \(/)
    await person.leave()
  })

  test('a page where nobody clicks loads five files of script', async () => {
    await site.server.say('owner', 'public', 'calm', 'Nobody answers')
    await site.server
      .as('moderator')
      .post('/users/me/onboarding_steps', { onboarding_step: 'getting_started' })
    const { page, leave } = await site.logIn('moderator', {
      hash: `#narrow/channel/${site.server.channels.public}/topic/calm`,
    })
    for (const name of ['bar', 'box', 'rest']) await partLoaded(page, name)
    // What one of them asks for is asked for by then.
    await page.waitForTimeout(1000)
    const loaded = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
    )
    const scripts = loaded.flatMap((path) => /client\/(.+)-\w{8}\.js$/.exec(path)?.[1] ?? [])
    const known = [...new Set(scripts)].sort()
    assert.deepEqual(known, ['bar', 'box', 'first', 'main', 'rest'])
    await page.mouse.move(400, 300)
    for (const name of ['keys', 'write', 'act']) await partLoaded(page, name)
    await leave()
  })

  test('the page opens without a network, once it was open', async () => {
    const context = { serviceWorkers: 'allow' } as const
    const person = await site.logIn('moderator', { hash: inbox, context })
    const { page } = person
    await workerReady(page)
    await page.waitForFunction(async () => (await (await caches.open('shell')).keys()).length > 2)
    const kept = await page.evaluate(async () => {
      const requests = await (await caches.open('shell')).keys()
      return requests.map(({ url }) => new URL(url).pathname)
    })
    assert.ok(kept.every((path) => path === '/' || path.startsWith('/static/client/')))
    await page.waitForFunction(() => localStorage.getItem('parley:kept') !== null)
    await page.context().setOffline(true)
    await page.reload()
    await channels(person).waitFor()
    await page.getByText('You are offline.').waitFor()
    // What the last page left may be gone: the browser removes it where it lacks space.
    await page.addInitScript(() => localStorage.removeItem('parley:kept'))
    await page.reload()
    await page.getByText('The server cannot be reached.').waitFor()
    await page.context().setOffline(false)
    await channels(person).waitFor()
    await page.context().close()
  })

  test('a newer client on the server is loaded once, when nothing is being typed', async () => {
    const person = await site.logIn('admin', { hash: inbox })
    const { page } = person
    let loads = 0
    page.on('load', () => {
      loads += 1
    })
    await page.route('**/static/client-version', (route) => route.fulfill({ body: 'ANOTHER' }))
    const loaded = page.waitForEvent('load')
    await site.restart()
    await loaded
    await channels(person).waitFor()
    await site.restart()
    await site.server.say('owner', ['admin'], '', 'After the second restart')
    await page.getByText('Desdemona').first().waitFor()
    assert.equal(loads, 1)
    await page.context().close()
  })

  test('a closed organization says so', async () => {
    const person = await site.logIn('admin', { hash: inbox })
    await site.server.as('owner').post('/realm/deactivate')
    await person.page.getByText('This organization is deactivated').waitFor()
    person.expectProblems(/40[13] \(/)
    await person.leave()
  })
})
