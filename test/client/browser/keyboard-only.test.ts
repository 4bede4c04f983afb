import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openSite } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { composes } from '#test/support/composed.ts'
import { keyboardUserOf } from '#test/support/keyboard.ts'

/** Without the client's own keys: those of browsers alone, and names and live regions. */
describe('by Tab, Enter and what is read out', { skip: noChromium }, async () => {
  if (noChromium) return
  const site = await openSite({ config: { maxFileUploadMib: 1 } })
  after(() => site.close())
  const { server } = site
  await server.say('othello', 'public', 'by keys', 'Can you read this?')
  const { page } = await site.visit('/health')
  const user = await keyboardUserOf(page)
  const main = page.getByRole('main')
  const message = (text: string) => page.getByRole('listitem').filter({ hasText: text })
  /** Opens a place as a link in a mail would. */
  const open = (hash: string) => page.evaluate((next) => location.assign(next), hash)

  test('one logs in', async () => {
    await page.goto('/login/')
    await user.reach('textbox', 'Your email address')
    await user.type('hamlet@zulip.com')
    await user.reach('textbox', 'Password')
    await user.type('hamlet-password')
    await user.press('Enter')
    await page.getByRole('navigation', { name: 'Views and channels' }).waitFor()
  })

  test('one reads an unread topic from the inbox, and answers', async () => {
    await open('#inbox')
    await user.activate('button', 'Skip to the messages')
    await user.activate('link', /^by keys/, { within: main })
    await message('Can you read this?').waitFor()
    await user.reach('textbox', 'Message')
    await user.type('Loud and clear.')
    await user.activate('button', 'Send')
    await user.hears('Message sent.')
    await message('Loud and clear.').waitFor()
    await user.isAt('textbox', 'Message')
    await server.say('othello', 'public', 'by keys', 'Good to hear.')
    await user.hears(/Othello.*: Good to hear\./)
  })

  test('one reacts to a message', async () => {
    const within = message('Good to hear.')
    await user.reach('button', 'More actions', { back: true, within })
    await user.activate('button', 'Add reaction', { back: true, within })
    await user.isAt('searchbox', 'Find an emoji')
    await user.type('octopus')
    await page.getByRole('option', { name: 'octopus' }).waitFor()
    await user.press('Enter')
    await message('Good to hear.')
      .getByRole('button', { name: /octopus/ })
      .waitFor()
  })

  test('one resolves a topic', async () => {
    await user.activate('button', 'Mark as resolved', { back: true })
    await user.hears('The topic is resolved.')
  })

  test('one switches the channel, and begins a topic there', async () => {
    await user.activate('link', /^Denmark/, { back: true })
    await user.activate('button', 'Skip to the messages', { back: true })
    await user.reach('combobox', 'Topic')
    await user.type('a new one')
    await user.reach('textbox', 'Message')
    await user.type('Begun by keys.')
    await user.activate('button', 'Send')
    await user.hears('Message sent.')
    await message('Begun by keys.').first().waitFor()
  })

  test('one attaches a file', async () => {
    await open('#narrow/channel/4-Denmark/topic/a.20new.20one')
    const chooser = page.waitForEvent('filechooser')
    await user.activate('button', 'Add to the message')
    await user.activate('menuitem', 'Attach files')
    const file = { name: 'keys.txt', mimeType: 'text/plain', buffer: Buffer.from('keys') }
    await (await chooser).setFiles([file])
    await user.reach('textbox', 'Message', { back: true })
    await composes(page, /\/user_uploads\//)
    await user.activate('button', 'Send')
    await message('keys.txt').first().waitFor()
  })

  test('one writes to a person', async () => {
    await open('#inbox')
    await user.activate('button', 'New direct message')
    await user.isAt('combobox', 'To')
    await user.type('othello')
    await page.getByRole('option', { name: /Othello/ }).waitFor()
    await user.press('Enter')
    await user.reach('textbox', 'Message')
    await user.type('Between us.')
    await user.activate('button', 'Send')
    await user.hears('Message sent.')
  })

  test('one searches', async () => {
    await user.reach('combobox', 'Search', { back: true })
    await user.type('Loud and clear')
    // The first one searches in the conversation that is shown.
    const everywhere = page.getByRole('option', { name: /^Search all messages/ })
    await everywhere.waitFor()
    for (let i = 0; i < 10 && (await everywhere.getAttribute('aria-selected')) !== 'true'; i++)
      await user.press('ArrowUp')
    await user.press('Enter')
    await message('Loud and clear.').first().waitFor()
    await user.hears('one result')
  })

  test('one changes a setting', async () => {
    await user.activate('button', 'Your menu', { back: true })
    await page.getByRole('menu', { name: 'Your menu' }).waitFor()
    await user.type('settings')
    await user.isAt('menuitem', 'Settings')
    await user.press('Enter')
    await user.activate('link', 'Preferences')
    await user.reach('checkbox', /^Press Enter to send/)
    await user.press('Space')
    await user.hears('Saved')
    await user.press('Escape')
    await user.isAt('button', 'Your menu')
  })

  test('one invites people', async () => {
    const owner = server.as('owner')
    const { user_groups: groups } = await owner.get<{
      user_groups: { id: number; name: string }[]
    }>('/user_groups')
    const members = groups.find(({ name }) => name === 'role:members')?.id
    const allowed = await owner.patch('/realm', { create_multiuse_invite_group: { new: members } })
    assert.equal(allowed.status, 200)
    await user.press('Enter')
    await page.getByRole('menu', { name: 'Your menu' }).waitFor()
    await user.type('invite')
    await user.isAt('menuitem', 'Invite people')
    await user.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Invite people' })
    await user.activate('button', 'Create link', { within: dialog })
    await user.hears('The link is ready.')
    await user.isAt('button', 'Copy link')
    await user.press('Escape')
    await user.isAt('button', 'Your menu')
  })

  test('one hears why something did not work', async () => {
    await open('#narrow/channel/4-Denmark/topic/a.20new.20one')
    const chooser = page.waitForEvent('filechooser')
    await user.activate('button', 'Add to the message')
    await user.activate('menuitem', 'Attach files')
    const buffer = Buffer.alloc(1024 * 1024 + 1)
    await (await chooser).setFiles([{ name: 'large.bin', mimeType: 'text/plain', buffer }])
    await user.hears('large.bin is larger than 1 MiB.')
  })
})
