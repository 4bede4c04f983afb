import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openSite, type Site, workerReady } from '#test/support/browser-page.ts'
import { noWholeChromium } from '#test/support/chromium.ts'
import { eventually, within } from '#test/support/eventually.ts'

describe('notifications', { skip: noWholeChromium }, () => {
  let site: Site
  before(async () => {
    site = await openSite({}, { notifies: true })
  })
  after(async () => await site.close())

  test('pushes show and remove notifications, which lead to their messages', async () => {
    const context = { serviceWorkers: 'allow' } as const
    const person = await site.logIn('moderator', { hash: '#inbox', context })
    const { page } = person
    await workerReady(page)
    await page.context().grantPermissions(['notifications'])
    const devtools = await page.context().newCDPSession(page)
    const registered = new Promise<string>((resolve) => {
      devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const [known] = registrations
        if (known) resolve(known.registrationId)
      })
    })
    await devtools.send('ServiceWorker.enable')
    const registrationId = await within(registered, 'The service worker is registered')
    const { origin } = new URL(page.url())
    const push = (payload: object) =>
      devtools.send('ServiceWorker.deliverPushMessage', {
        origin,
        registrationId,
        data: JSON.stringify(payload),
      })
    const [worker] = page.context().serviceWorkers()
    assert.ok(worker)
    // As text, because functions of a test need what its loader adds.
    await worker.evaluate(`
      navigator.setAppBadge = async (count) => { self.badge = count }
      navigator.clearAppBadge = async () => { self.badge = 0 }
    `)
    const shown = () =>
      page.evaluate(async () => {
        const notices = await (await navigator.serviceWorker.ready).getNotifications()
        return notices.map(({ title, body, data }) =>
          [title, body, data.messageIds.join()].join(' | '),
        )
      })
    const badge = () => worker.evaluate<number>('self.badge')
    // The badge first, which changes last: Chromium forgets a notification that it is asked about while
    // it is being shown.
    const until = async (wanted: readonly string[], count: number) => {
      await eventually(badge, count)
      await eventually(shown, wanted)
    }

    // The page leaves notifications of unknown messages alone.
    const message = (message_id: number, tag: string, count: number) => ({
      type: 'message',
      title: 'Desdemona',
      body: `Message ${message_id}`,
      url: `/#narrow/dm/9,15-dm/near/${message_id}`,
      tag,
      icon: '/static/client-icon/192.png',
      message_id,
      count,
    })
    await push(message(9001, 'dm:9', 1))
    await until(['Desdemona | Message 9001 | 9001'], 1)
    await push(message(9002, 'dm:9', 2))
    await until(['Desdemona | Message 9002 | 9001,9002'], 2)
    await push(message(9002, 'dm:9', 3))
    await until(['Desdemona | Message 9002 | 9001,9002'], 3)
    await push({ type: 'remove', message_ids: [9001], count: 1 })
    await until(['Desdemona | Message 9002 | 9002'], 1)

    await worker.evaluate(`(async () => {
      const [notification] = await registration.getNotifications()
      const click = new Event('notificationclick')
      dispatchEvent(Object.assign(click, { notification, waitUntil() {} }))
    })()`)
    await page.waitForURL(/#narrow\/dm\/9,15-dm\/near\/9002/)
    // The client looks where the message is now, and there is none.
    person.expectProblems(/400 \(Bad Request\)/)
    await until([], 1)
    await push(message(9003, 'dm:9', 4))
    await until(['Desdemona | Message 9003 | 9003'], 4)
    await push({ type: 'remove', message_ids: [9003], count: 0 })
    await until([], 0)
    await devtools.detach()
  })
})
