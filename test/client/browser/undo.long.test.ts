import { after, describe, test } from 'node:test'
import { openSite, type Site } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { eventually } from '#test/support/eventually.ts'

describe('what can be taken back', { skip: noChromium }, async () => {
  if (noChromium) return
  const site: Site = await openSite()
  after(() => site.close())
  const { server } = site
  const member = server.as('member')
  const say = (topic: string) => server.say('othello', 'shared', topic, 'Something')
  for (let i = 0; i < 3; i++) await say('few')
  const { page } = await site.logIn('member', { hash: '#inbox' })
  const undo = page.getByRole('button', { name: 'Undo' })
  const dialog = page.getByRole('dialog')

  async function unread(): Promise<number> {
    const { unread_msgs } = await member.post<{ unread_msgs: { count: number } }>('/register', {
      fetch_event_types: ['message', 'update_message_flags'],
      event_types: [],
    })
    return unread_msgs.count
  }

  async function markAll(): Promise<void> {
    await page.getByRole('button', { name: 'Inbox menu' }).click()
    await page.getByRole('menuitem', { name: 'Mark all as read' }).click()
  }

  async function topicMenu(topic: string, item: string): Promise<void> {
    await page.evaluate(
      (name) => location.assign(`#narrow/channel/3-Verona/topic/${name}`),
      encodeURIComponent(topic).replaceAll('%', '.'),
    )
    await page.getByRole('button', { name: 'Topic menu' }).click()
    await page.getByRole('menu').getByText(item, { exact: true }).click()
  }

  test('marking a few messages as read', async () => {
    await markAll()
    await page.getByText('Marked 3 messages as read.').waitFor()
    await page.getByText("You're all caught up").waitFor()
    await eventually(unread, 0)
    await undo.click()
    await page.getByText("You're all caught up").waitFor({ state: 'detached' })
    await eventually(unread, 3)
  })

  test('marking many, which is asked about first', async () => {
    for (let i = 0; i < 60; i++) await say(`many ${i % 4}`)
    await page.locator('.top-unread, .count').getByText('63').first().waitFor()
    await markAll()
    await dialog.getByText('63 messages are unread.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await eventually(unread, 63)
    await markAll()
    await dialog.getByRole('button', { name: 'Mark as read' }).click()
    await page.getByText("You're all caught up").waitFor()
    await eventually(unread, 0)
    await undo.click()
    await page.getByText("You're all caught up").waitFor({ state: 'detached' })
    await eventually(unread, 63)
  })

  test('muting a topic', async () => {
    const policies = async () =>
      (
        await member.post<{ user_topics: { visibility_policy: number }[] }>('/register', {
          fetch_event_types: ['user_topic'],
          event_types: [],
        })
      ).user_topics.filter(({ visibility_policy }) => visibility_policy === 1).length
    const before = await policies()
    await topicMenu('few', 'Mute')
    await page.getByText('The topic is muted.').waitFor()
    await eventually(policies, before + 1)
    await undo.click()
    await eventually(policies, before)
  })

  test('resolving a topic', async () => {
    await topicMenu('few', 'Mark as resolved')
    await page.getByText('The topic is resolved.').waitFor()
    await page.waitForFunction(() => location.hash.includes('.E2.9C.94'))
    await undo.click()
    await page.waitForFunction(() => !location.hash.includes('.E2.9C.94'))
  })

  test('sending later, whose text comes back', async () => {
    await page.getByRole('textbox', { name: 'Message' }).fill('Not now')
    await page.getByRole('button', { name: 'Send later' }).click()
    await dialog.getByRole('button', { name: /^Tomorrow morning/ }).click()
    await page.getByText(/^It will be sent/).waitFor()
    await undo.click()
    await page.waitForFunction(
      () => document.querySelector<HTMLTextAreaElement>('.compose textarea')?.value === 'Not now',
    )
    const scheduled = async () =>
      (await member.get<{ scheduled_messages: unknown[] }>('/scheduled_messages'))
        .scheduled_messages
    await eventually(scheduled, [])
  })
})
