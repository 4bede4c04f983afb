import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { patience } from '#client/commands/kept-database.ts'
import { clientDrawn, openSite, workerReady } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { within } from '#test/support/eventually.ts'
import { hold } from '#test/support/hold.ts'

const rowWith = (page: Page, text: string) =>
  page.locator('[data-message-id]').filter({ hasText: text })
const topic = (name: string) => `#narrow/channel/4-Denmark/topic/${name}`

/** Waits until the page has left something for the next one. */
const untilKept = async (page: Page) => {
  await page.waitForFunction(() => localStorage.getItem('parley:kept') !== null)
}

/** The names of the records that the browser keeps, and all of them as text. */
const readKept = async (page: Page) => {
  const kept = page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const request = indexedDB.open('parley')
        request.onsuccess = () => {
          const database = request.result
          if (!database.objectStoreNames.contains('parts')) return resolve('')
          const all = database.transaction('parts').objectStore('parts').getAll()
          all.onsuccess = () => {
            database.close()
            const text = JSON.stringify(all.result, (_, value) =>
              value instanceof Map || value instanceof Set ? [...value] : value,
            )
            resolve(all.result.length === 0 ? '' : text)
          }
        }
      }),
  )
  return await within(kept, 'The database of the browser is read')
}

/** Leaves the client, and opens it again. */
async function reopen(page: Page, path: string): Promise<void> {
  await page.goto('about:blank')
  await page.goto(path)
}

/** A browser on a busy machine may read for longer than the client waits for it. */
const waitLonger = (patience: number) => {
  const { setTimeout } = window
  const longer = (handler: TimerHandler, ms?: number, ...rest: unknown[]) =>
    setTimeout(handler, ms === patience ? 10 * patience : ms, ...rest)
  window.setTimeout = longer as typeof window.setTimeout
}

/**
 * Opens a page that goes on from what the last one kept. A browser on a busy machine may be too slow
 * with it, so that the page registers instead and keeps that: then it is opened again, twice at most.
 *
 * @param open opens it until what was kept should be there
 * @param giveUp called before it is opened again
 * @returns what it has posted to `/json/register`, then and later
 */
async function openKept(
  page: Page,
  open: () => Promise<void>,
  giveUp?: () => void,
): Promise<string[]> {
  const registered: string[] = []
  await page.addInitScript(waitLonger, patience)
  page.on('request', (request) => {
    if (request.url().endsWith('/json/register')) registered.push(request.postData() ?? '')
  })
  for (let tries = 1; ; tries++) {
    await page.goto('about:blank')
    registered.length = 0
    const opened = open()
    if (tries === 3) {
      await opened
      return registered
    }
    const isOpen = await opened.then(
      () => true,
      () => false,
    )
    if (isOpen && registered.length === 0) return registered
    giveUp?.()
    await page.goto('/')
    await page.evaluate(() => localStorage.removeItem('parley:kept'))
    await untilKept(page)
  }
}

describe('the next start', { skip: noChromium }, async () => {
  if (noChromium) return
  const site = await openSite()
  after(() => site.close())

  /**
   * Someone whose page may find the queue that was kept gone, and registers: the page before it was left
   * when it had given that queue back, but not yet stored its own.
   */
  const logIn: typeof site.logIn = async (...whom) => {
    const person = await site.logIn(...whom)
    person.expectProblems(/400 \(Bad Request\) \S+\/json\/events\b/)
    return person
  }

  test('draws what was there before the server has said anything, then what came since', async () => {
    await site.server.say('othello', 'public', 'warm', 'Seen before')
    const { page } = await logIn('member', { hash: topic('warm') })
    await rowWith(page, 'Seen before').waitFor()
    await untilKept(page)
    const calls: string[] = []
    page.on('request', (request) => calls.push(new URL(request.url()).pathname))
    let letThrough = () => {}
    const meanwhile = { tries: 0, text: '' }
    const open = async () => {
      meanwhile.text = `Sent meanwhile, ${meanwhile.tries++}`
      await site.server.say('othello', 'public', 'warm', meanwhile.text)
      letThrough = await hold(page, '**/json/**')
      calls.length = 0
      await page.goto(`/${topic('warm')}`)
      await rowWith(page, 'Seen before').waitFor({ timeout: 20_000 })
    }
    await openKept(page, open, () => letThrough())
    assert.equal(await rowWith(page, meanwhile.text).count(), 0)
    letThrough()
    await rowWith(page, meanwhile.text).waitFor()
    assert.ok(calls.includes('/json/events'))
    assert.deepEqual(
      calls.filter((call) => call === '/json/register' || call === '/json/messages'),
      [],
    )
  })

  test('finds the queue of the data where the page before it was left before it could keep anything', async () => {
    const { page } = await logIn('cordelia', { hash: topic('warm') })
    await rowWith(page, 'Seen before').waitFor()
    await untilKept(page)
    let queue = {}
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname === '/json/events') queue = { ...Object.fromEntries(searchParams) }
    })
    // It reads what is kept, and is never let write in the view that is opened.
    await page.addInitScript(() => {
      if (!location.hash) return
      const open = indexedDB.open.bind(indexedDB)
      let calls = 0
      indexedDB.open = (...call) => (++calls === 1 ? open(...call) : ({} as IDBOpenDBRequest))
      Object.defineProperty(window, 'opened', { get: () => calls })
    })
    const goOn = async () => {
      await page.goto(`/${topic('warm')}`)
      await rowWith(page, 'Seen before').waitFor()
      await page.waitForFunction(() => (window as unknown as { opened: number }).opened > 1)
    }
    assert.deepEqual(await openKept(page, goOn), [])
    await page.goto('about:blank')
    await page.waitForTimeout(500)
    const polled = await site.server.as('cordelia').get('/events', { ...queue, dont_block: 'true' })
    assert.equal(polled.status, 200)
  })

  test('is not prepared while the messages are on their way, which it would have to fetch', async () => {
    await site.server.say('othello', 'public', 'late', 'Came late')
    const { page, leave } = await site.logIn('member', { hash: '#inbox' })
    const letThrough = await hold(page, '**/json/messages?*')
    await page.evaluate((hash) => location.assign(hash), topic('late'))
    // Longer than a page waits before it keeps anything.
    await page.waitForTimeout(6500)
    assert.equal(await page.evaluate(() => localStorage.getItem('parley:kept')), null)
    letThrough()
    await rowWith(page, 'Came late').waitFor()
    await untilKept(page)
    assert.match(await readKept(page), /Came late/)
    await leave()
  })

  test('needs no registration of whoever has bots: they are fetched when settings are opened', async () => {
    const bot = { full_name: 'Warm bot', short_name: 'warm' }
    assert.equal((await site.server.as('owner').post('/bots', bot)).status, 200)
    await site.server.say('othello', 'public', 'bots', 'Seen before')
    const { page } = await logIn('owner', { hash: topic('bots') })
    await rowWith(page, 'Seen before').waitFor()
    await untilKept(page)
    const registered = await openKept(page, async () => {
      await site.server.say('othello', 'public', 'bots', 'Sent meanwhile')
      await page.goto(`/${topic('bots')}`)
      await rowWith(page, 'Sent meanwhile').first().waitFor()
    })
    assert.deepEqual(registered, [])
    await page.evaluate(() => location.assign('#settings/your-bots'))
    await page.getByRole('button', { name: 'Edit Warm bot' }).click()
    await page.getByRole('dialog', { name: 'Warm bot' }).locator('.secret').waitFor()
    assert.deepEqual(
      registered.map((each) => new URLSearchParams(each).get('fetch_event_types')),
      ['["realm_bot"]'],
    )
  })

  test('is whole without a network: messages, drafts and what is sent later', async () => {
    await site.server.say('othello', 'public', 'offline', 'Kept for the journey')
    const { page } = await site.logIn('prospero', {
      hash: topic('offline'),
      context: { serviceWorkers: 'allow' },
    })
    await rowWith(page, 'Kept for the journey').waitFor()
    await untilKept(page)
    await workerReady(page)
    await page.waitForFunction(async () => {
      const kept = await (await caches.open('shell')).keys()
      return ['compose-box', 'left-side-bar'].every((name) =>
        kept.some(({ url }) => url.includes(name)),
      )
    })
    await page.goto('about:blank')
    await page.context().setOffline(true)
    await page.goto(`/${topic('offline')}`)
    await rowWith(page, 'Kept for the journey').waitFor()
    await page.getByText('offline', { exact: false }).first().waitFor()
    const box = page.getByRole('textbox', { name: 'Message', exact: true })
    await box.fill('Written on the train')
    await box.press('Control+Enter')
    await page.getByText('Written on the train').first().waitFor()
    await box.fill('Half a thou')
    await reopen(page, `/${topic('offline')}`)
    await page.getByText('Written on the train').first().waitFor()
    assert.equal(await box.inputValue(), 'Half a thou')
    await page.context().setOffline(false)
    await rowWith(page, 'Written on the train').waitFor()
    assert.equal(await rowWith(page, 'Written on the train').count(), 1)
  })

  test('shows two tabs what was there, each with a queue of its own', async () => {
    const { page } = await site.logIn('othello', { hash: topic('warm') })
    await rowWith(page, 'Seen before').waitFor()
    await untilKept(page)
    const queues: string[] = []
    page.context().on('request', (request) => {
      const url = new URL(request.url())
      if (url.pathname.startsWith('/json/events'))
        queues.push(url.searchParams.get('queue_id') ?? '')
    })
    const second = await page.context().newPage()
    await second.goto(`/${topic('warm')}`)
    await rowWith(second, 'Seen before').waitFor()
    await page.reload()
    await rowWith(page, 'Seen before').waitFor()
    await site.server.say('owner', 'public', 'warm', 'For both tabs')
    await Promise.all([page, second].map((each) => rowWith(each, 'For both tabs').waitFor()))
    assert.equal(new Set(queues).size, 2)
    await second.close()
  })

  test('is without anything of someone who has logged out, or is someone else', async () => {
    await site.server.say('othello', 'public', 'mine', 'Not for Iago')
    const person = await site.logIn('owner', { hash: topic('mine') })
    const { page } = person
    person.expectProblems(/401 \(Unauthorized\)/)
    await rowWith(page, 'Not for Iago').waitFor()
    await untilKept(page)
    assert.match(await readKept(page), /Not for Iago/)
    const token = (await page.context().cookies()).find(({ name }) => name === 'csrftoken')?.value
    assert.ok(token && !(await readKept(page)).includes(token))
    await page.evaluate(() => document.querySelector<HTMLElement>('.self-button')?.click())
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.waitForURL(/\/login\//)
    assert.equal(await page.evaluate(() => localStorage.getItem('parley:kept')), null)
    assert.equal(await readKept(page), '')
  })

  test('is an ordinary one where the browser keeps nothing, or what it kept is damaged', async () => {
    const { page } = await site.logIn('member', { hash: topic('warm') })
    await rowWith(page, 'Seen before').waitFor()
    await untilKept(page)
    const damaged = page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const request = indexedDB.open('parley')
          request.onsuccess = () => {
            const transaction = request.result.transaction('parts', 'readwrite')
            transaction.objectStore('parts').put({ name: 'seen', selfId: 1 })
            transaction.oncomplete = () => resolve()
          }
        }),
    )
    await within(damaged, 'The database of the browser is written')
    // The page that is left would write it again.
    await page.evaluate(() => window.stop())
    const crashed = await page.context().newPage()
    await crashed.goto(`/${topic('warm')}`)
    await rowWith(crashed, 'Seen before').waitFor()
    await crashed.addInitScript(() => {
      Object.defineProperty(window, 'indexedDB', {
        get: () => {
          throw new DOMException('refused', 'SecurityError')
        },
      })
    })
    await crashed.reload()
    await rowWith(crashed, 'Seen before').waitFor()
    await crashed.close()
  })

  describe('begins with what the last page showed', () => {
    /** What is in sight, and where, of the program's own screen or of the picture of the last one. */
    const placesIn = async (page: Page, within: string) =>
      await page.evaluate(
        (root) =>
          [...document.querySelectorAll(`${root} .shell *`)].flatMap((each) => {
            const { x, y, width, height } = each.getBoundingClientRect()
            const isInWindow = width > 1 && height > 1 && y + height > 0 && y < innerHeight
            const isSeen = isInWindow && each.checkVisibility({ visibilityProperty: true })
            const text = each.childElementCount === 0 ? each.textContent : ''
            return isSeen && text ? [`${text} ${[x, y, width, height].map(Math.round)}`] : []
          }),
        within,
      )
    const untilPictured = async (page: Page) =>
      await page.waitForFunction(() => localStorage.getItem('parley:screen') !== null)
    const untilTakenOver = async (page: Page) =>
      await page.waitForFunction(() => document.querySelector('.last-screen') === null)
    const program = /\/main-\w+\.js$/
    /** Opens a view of which there is a picture, which is given up soon where styles come late. */
    const openPictured = async (page: Page, path: string) => {
      for (let tries = 1; ; tries++) {
        await page.goto('about:blank')
        await page.goto(path, { waitUntil: 'commit' })
        const shown = page.locator('.last-screen').waitFor({ timeout: 3000 })
        if (tries === 5) return await shown
        if (await shown.then(() => true).catch(() => false)) return
      }
    }
    /** Someone's window that has left a picture of a topic. */
    const leavePicture = async (actor: Parameters<typeof site.logIn>[0], name: string) => {
      for (let i = 0; i < 9; i++) await site.server.say(actor, 'public', name, `Line ${i}`)
      const person = await logIn(actor, { hash: topic(name) })
      const { page } = person
      await rowWith(page, 'Line 8').waitFor()
      await page.locator('.left a', { hasText: 'Denmark' }).first().waitFor()
      await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor()
      // What a page shows is kept again as it is left.
      await untilPictured(page)
      return person
    }

    test('before its program is there, and nothing moves when that takes over', async () => {
      const { page } = await leavePicture('othello', 'pictured')
      // Where messages are new is said once.
      await page.reload()
      await untilTakenOver(page)
      await page.locator('.right', { hasText: 'Polonius' }).waitFor()
      // The picture of the page before it said so.
      await page.evaluate(() => localStorage.removeItem('parley:screen'))
      await untilPictured(page)
      await page.evaluate(() => document.querySelector('.pane-scroller')?.scrollBy(0, -220))
      await page.waitForTimeout(100)
      const seen = await placesIn(page, '#app')
      const letCome = await hold(page, program)
      await openPictured(page, `/${topic('pictured')}`)
      // Which is in the browser's cache, as long as no request is held.
      await page.evaluate(async () => void (await document.fonts.load('1em Inter')))
      await page.locator('.last-screen .left a').first().waitFor()
      await page.locator('.last-screen .compose textarea').waitFor()
      assert.deepEqual(await placesIn(page, '.last-screen'), seen)
      // For a frame, it is without what is beside them.
      const { whole, bare } = await page.evaluate(() => {
        const places = () =>
          [...document.querySelectorAll('.last-screen .message')].map(
            (row) => `${row.textContent} ${row.getBoundingClientRect().y}`,
          )
        const whole = places()
        for (const pane of document.querySelectorAll('.last-screen :is(.left, .right, .compose)')) {
          pane.textContent = ''
        }
        return { whole, bare: places() }
      })
      assert.ok(whole.some((place) => place.includes('Line 8')))
      assert.deepEqual(bare, whole)
      assert.ok(await page.locator('.last-screen').evaluate((each) => (each as HTMLElement).inert))
      assert.equal(await page.locator('#app .shell').count(), 0)
      letCome()
      await untilTakenOver(page)
      assert.deepEqual(await placesIn(page, '#app'), seen)
    })

    test('unless it is of another view, another size, or damaged', async () => {
      const { page } = await leavePicture('member', 'framed')
      const letCome = await hold(page, program)
      const pictured = () => openPictured(page, `/${topic('framed')}`)
      const notPictured = async (path: string) => {
        await page.goto('about:blank')
        await page.goto(path, { waitUntil: 'commit' })
        await page.waitForLoadState('domcontentloaded')
        await page.waitForTimeout(100)
        assert.equal(await page.locator('.last-screen').count(), 0)
      }
      await pictured()
      await notPictured('/#inbox')
      const size = page.viewportSize() ?? assert.fail()
      await page.setViewportSize({ ...size, width: size.width - 40 })
      await notPictured(`/${topic('framed')}`)
      await page.setViewportSize(size)
      await pictured()
      await page.evaluate(() => localStorage.setItem('parley:screen', '{"html":"<b>Hello'))
      await notPictured(`/${topic('framed')}`)
      letCome()
      await rowWith(page, 'Line 8').waitFor()
    })

    test('the program comes where the picture cannot be drawn', async () => {
      const person = await leavePicture('member', 'broken')
      const { page } = person
      person.expectProblems(/Failed to load resource/)
      const reach = async () => {
        await reopen(page, `/${topic('broken')}`)
        await page.locator('#app [data-message-id]').first().waitFor()
        await untilTakenOver(page)
        await page.locator('#app .left a', { hasText: 'Denmark' }).first().waitFor()
      }
      for (const member of ['root', 'html']) {
        await page.evaluate((name) => {
          const picture = JSON.parse(localStorage.getItem('parley:screen') ?? '{}')
          localStorage.setItem('parley:screen', JSON.stringify({ ...picture, [name]: null }))
          // The page that is left would keep another one.
          window.stop()
        }, member)
        await reach()
        await untilPictured(page)
      }
      for (const file of [/\.woff2$/, /\/style-\w+\.css$/]) {
        await page.route(file, (route) => route.abort())
        await reach()
        await untilPictured(page)
        await page.unroute(file)
      }
    })

    test('someone who types at once types into the program', async () => {
      const { page } = await leavePicture('prospero', 'hasty')
      const letCome = await hold(page, /\/rest-\w+\.js$/)
      await openPictured(page, `/${topic('hasty')}`)
      const box = page.locator('#app .compose textarea')
      await box.click()
      assert.equal(await page.locator('.last-screen').count(), 0)
      await page.keyboard.type('Already here')
      assert.equal(await box.inputValue(), 'Already here')
      letCome()
      await clientDrawn(page)
      assert.equal(await box.inputValue(), 'Already here')
    })

    test('with nothing of someone who has logged out', async () => {
      const person = await leavePicture('owner', 'private picture')
      const { page } = person
      person.expectProblems(/401 \(Unauthorized\)/)
      const read = async () => await page.evaluate(() => localStorage.getItem('parley:screen'))
      assert.match((await read()) ?? '', /Line 8/)
      await page.evaluate(() => document.querySelector<HTMLElement>('.self-button')?.click())
      await page.getByRole('menuitem', { name: 'Log out' }).click()
      await page.waitForURL(/\/login\//)
      assert.equal(await read(), null)
    })

    test('where room is scarce, what was typed is kept rather than the picture', async () => {
      const { page } = await leavePicture('othello', 'full')
      await page.evaluate(() => {
        for (let size = 2 ** 21; size >= 1; size = Math.floor(size / 2)) {
          try {
            for (;;) localStorage.setItem(`filler${Math.random()}`, 'x'.repeat(size))
          } catch {
            // Full: with smaller ones, to the last character.
          }
        }
      })
      const box = page.getByRole('textbox', { name: 'Message', exact: true })
      await box.fill('Not to be lost')
      await page.waitForFunction(() =>
        Object.entries(localStorage).some(
          ([key, value]) => key.startsWith('parley:drafts') && value.includes('Not to be lost'),
        ),
      )
      assert.equal(await page.evaluate(() => localStorage.getItem('parley:screen')), null)
      await page.evaluate(() => localStorage.clear())
    })
  })
})
