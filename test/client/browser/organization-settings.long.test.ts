import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { openSite } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { blue, pngPicture, red } from '#test/support/pictures.ts'

const png = (width: number, height: number) => ({
  name: 'red.png',
  mimeType: 'image/png',
  buffer: pngPicture(width, height, red, blue),
})

describe('settings of the organization', { skip: noChromium }, async () => {
  if (noChromium) return
  const site = await openSite({ config: { ownersOperate: true } })
  after(() => site.close())
  const owner = await site.logIn('owner', { hash: '#organization' })
  const admin = await site.logIn('admin', { hash: '#organization' })
  const member = await site.logIn('member', { hash: '#organization' })
  // Stories bring about refusals, which browsers write to the console.
  owner.expectProblems(/status of 400/)

  /** Opens a section at several windows. */
  async function open(section: string, ...pages: readonly Page[]): Promise<void> {
    for (const page of pages) {
      await page.evaluate((hash) => location.assign(hash), `#organization/${section}`)
      await page.locator(`.settings-link[aria-current="page"][href$="/${section}"]`).waitFor()
      await page.locator('.settings-page > *').first().waitFor()
    }
  }
  const field = (page: Page, name: string) => page.locator(`[data-setting="${name}"]`)
  const names = (list: Locator) => list.locator('.list-words > :first-child').allTextContents()
  const question = (page: Page) => page.locator('.dialog-small')
  const confirm = (page: Page, action: string) =>
    question(page).getByRole('button', { name: action, exact: true }).click()

  test('name, description and pictures: one changes them, others see them', async () => {
    await open('organization-profile', owner.page, admin.page, member.page)
    const typed = admin.page.getByRole('textbox', { name: 'Description' })
    await typed.fill('Words of the *administrator*')
    await admin.page.getByRole('region', { name: 'Preview' }).locator('em').waitFor()
    const name = owner.page.getByRole('textbox', { name: 'Name' })
    await name.fill('Globe Theatre')
    await name.press('Enter')
    const description = owner.page.getByRole('textbox', { name: 'Description' })
    await description.fill('All the world')
    await description.press('Control+Enter')
    await field(admin.page, 'description')
      .getByText('Changed in the meantime to: All the')
      .waitFor()
    assert.equal(await typed.inputValue(), 'Words of the *administrator*')
    await member.page.locator('.top-realm', { hasText: 'Globe Theatre' }).waitFor()
    const locked = field(member.page, 'name')
    await locked.getByRole('img', { name: 'Only administrators can change this.' }).waitFor()
    assert.ok(await locked.getByRole('textbox').isDisabled())

    await owner.page.getByLabel('File: Wide logo', { exact: true }).setInputFiles(png(400, 50))
    await member.page.locator('.top-realm img[alt="Globe Theatre"]').first().waitFor()
    await owner.page.getByLabel('File: Icon').setInputFiles(png(100, 100))
    await owner.page.getByRole('button', { name: 'Use this part' }).click()
    await member.page.locator('img.realm-icon[src*="icon.png?version"]').waitFor()
    await field(owner.page, 'icon').getByRole('button', { name: 'Remove' }).click()
    await member.page.locator('img.realm-icon[src*="static"]').waitFor()
  })

  test('custom emoji are added under a name that is checked while it is typed', async () => {
    await open('emoji-settings', owner.page, member.page)
    await owner.page.getByRole('button', { name: 'Add an emoji' }).click()
    const dialog = owner.page.getByRole('dialog', { name: 'Add an emoji' })
    const name = dialog.getByRole('textbox', { name: 'Name' })
    await dialog.getByLabel('Picture').setInputFiles(png(64, 64))
    assert.equal(await name.inputValue(), 'red')
    await name.fill('Green tick')
    await dialog.getByText('There is already a custom emoji with this name.').waitFor()
    assert.ok(await dialog.getByRole('button', { name: 'Add' }).isDisabled())
    await name.fill('octopus')
    await dialog.getByText('This replaces the emoji 🐙 of the same name.').waitFor()
    await name.fill('half & half')
    await dialog.getByRole('button', { name: 'Add' }).click()
    await dialog.getByRole('alert').filter({ hasText: 'consists of letters' }).waitFor()
    await name.fill('Half half')
    await dialog.getByText('People write :half_half:').waitFor()
    await dialog.getByRole('button', { name: 'Add' }).click()
    await dialog.waitFor({ state: 'detached' })
    await member.page.getByRole('cell', { name: ':half_half:' }).waitFor()
    assert.equal(await member.page.getByRole('button', { name: 'Remove half_half' }).count(), 0)
    await owner.page.getByRole('button', { name: 'Remove half_half' }).click()
    await confirm(owner.page, 'Remove')
    await member.page.getByRole('cell', { name: ':half_half:' }).waitFor({ state: 'detached' })
  })

  test('linkifiers show what they do before they are saved, and are ordered', async () => {
    await open('linkifier-settings', owner.page, member.page)
    await owner.page.getByRole('button', { name: 'Add linkifier' }).click()
    const dialog = owner.page.getByRole('dialog', { name: 'Add linkifier' })
    const pattern = dialog.getByRole('textbox', { name: 'Pattern' })
    await pattern.fill('ACT-(?P<id>[0-9]+')
    await dialog.getByRole('textbox', { name: 'URL template' }).fill('https://x.org/{id}')
    await dialog.getByRole('textbox', { name: 'Example' }).fill('Read ACT-5 aloud')
    await dialog.getByText('Invalid filter pattern').waitFor()
    await dialog.getByRole('button', { name: 'Add' }).click()
    await dialog.getByRole('alert').filter({ hasText: 'Invalid filter pattern' }).waitFor()
    await pattern.fill('ACT-(?P<id>[0-9]+)')
    const link = dialog.getByRole('link', { name: 'ACT-5' })
    assert.equal(await link.getAttribute('href'), 'https://x.org/5')
    await dialog.getByRole('button', { name: 'Add' }).click()
    const seen = member.page.getByRole('list', { name: 'Linkifiers' })
    await seen.getByText('ACT-(?P<id>[0-9]+)').waitFor()
    await member.page.getByText('Only administrators can change this.').waitFor()

    const before = await names(seen)
    const last = before.length - 1
    const up = owner.page.getByRole('button', { name: 'Move up: ACT' })
    await up.click()
    await seen.locator(`li:nth-child(${last})`, { hasText: 'ACT' }).waitFor()
    assert.ok(await up.evaluate((button) => button === document.activeElement))
    const list = owner.page.getByRole('list', { name: 'Linkifiers' })
    await list.locator(`li:nth-child(${last})`, { hasText: 'ACT' }).waitFor()
    const rows = list.getByRole('listitem')
    const [handle, first] = [rows.nth(last - 1).locator('.order-handle'), rows.first()]
    await handle.hover()
    await owner.page.mouse.down()
    const box = await first.boundingBox()
    assert.ok(box)
    await owner.page.mouse.move(box.x + 12, box.y + 8, { steps: 6 })
    await owner.page.mouse.up()
    await seen.locator('li:first-child', { hasText: 'ACT' }).waitFor()

    await owner.page.getByRole('button', { name: 'Change ACT' }).click()
    const change = owner.page.getByRole('dialog', { name: 'Edit linkifier' })
    await change.getByText('Reverse linkifier').click()
    await change.getByRole('textbox', { name: 'Text of a pasted link' }).fill('ACT {id}')
    await change.getByRole('button', { name: 'Save' }).click()
    await change.getByRole('alert').filter({ hasText: 'does not reproduce' }).waitFor()
    await change.getByRole('button', { name: 'Cancel' }).click()
    await owner.page.getByRole('button', { name: 'Remove ACT' }).click()
    await confirm(owner.page, 'Remove')
    await seen.getByText('ACT-(?P<id>[0-9]+)').waitFor({ state: 'detached' })
  })

  test('code playgrounds are added and removed', async () => {
    await open('playground-settings', owner.page, member.page)
    await owner.page.getByRole('button', { name: 'Add a playground' }).click()
    const dialog = owner.page.getByRole('dialog', { name: 'Add a playground' })
    await dialog.getByRole('textbox', { name: 'Language' }).fill('Rust')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Try Rust')
    const address = dialog.getByRole('textbox', { name: 'Address' })
    await address.fill('https://play.example.com/')
    await address.press('Enter')
    await dialog.getByRole('alert').filter({ hasText: "named 'code'" }).waitFor()
    assert.equal(await address.getAttribute('aria-invalid'), 'true')
    await address.fill('https://play.example.com/?code={code}')
    await address.press('Enter')
    await member.page.getByRole('cell', { name: 'Try Rust' }).waitFor()
    await owner.page.getByRole('button', { name: 'Remove Try Rust' }).click()
    await confirm(owner.page, 'Remove')
    await member.page.getByText('There are no playgrounds yet.').waitFor()
  })

  test('profile fields have types, options and an order', async () => {
    await open('profile-field-settings', owner.page, member.page)
    const seen = member.page.getByRole('list', { name: 'Custom profile fields' })
    async function add(type: string, fill: (dialog: Locator) => Promise<void>): Promise<void> {
      await owner.page.getByRole('button', { name: 'Add a field' }).click()
      const dialog = owner.page.getByRole('dialog', { name: 'Add a field' })
      await dialog.getByRole('combobox', { name: 'Type' }).selectOption({ label: type })
      await fill(dialog)
      await dialog.getByRole('button', { name: 'Add', exact: true }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await add('List of options', async (dialog) => {
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Role')
      await dialog.getByRole('textbox', { name: 'Option 1' }).fill('Fool')
      await dialog.getByRole('textbox', { name: 'Option 2' }).fill('King')
      await dialog.getByRole('button', { name: 'Another option' }).click()
      await dialog.getByRole('textbox', { name: 'Option 3' }).fill('Ghost')
      await dialog.getByRole('button', { name: 'Move up: King' }).click()
    })
    await seen.getByText('List of options: King, Fool, Ghost').waitFor()
    await add('External account', async (dialog) => {
      const site = dialog.getByRole('combobox', { name: 'Site' })
      await site.selectOption({ label: 'Another one' })
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Playbill')
      const address = dialog.getByRole('textbox', { name: 'Account URL template' })
      await address.fill('https://bill.example.com/')
      await dialog.getByRole('button', { name: 'Add', exact: true }).click()
      await dialog.getByRole('alert').filter({ hasText: 'Invalid external' }).waitFor()
      await address.fill('https://bill.example.com/%(username)s')
    })
    await add('External account', async (dialog) => {
      await dialog.getByRole('combobox', { name: 'Site' }).selectOption({ label: 'Bluesky' })
    })
    await seen.getByText('Bluesky username', { exact: true }).waitFor()

    await owner.page.getByRole('button', { name: 'Change Role' }).click()
    const change = owner.page.getByRole('dialog', { name: 'Change Role' })
    await change.getByRole('button', { name: 'Remove Fool' }).click()
    await change.getByRole('checkbox', { name: /Required/ }).check()
    await site.server.as('admin').patch('/realm/profile_fields/1', { hint: 'Another one' })
    await change.getByRole('button', { name: 'Save' }).click()
    await seen.getByText('List of options: King, Ghost · required').waitFor()

    const role = seen.getByRole('listitem').filter({ hasText: 'List of options: King' })
    const before = await names(seen)
    await owner.page.getByRole('button', { name: 'Move up: Role' }).click()
    await seen.locator(`li:nth-child(${before.indexOf('Role')})`, { hasText: 'Role' }).waitFor()
    await owner.page.getByRole('button', { name: 'Remove Role' }).click()
    await confirm(owner.page, 'Remove')
    await role.waitFor({ state: 'detached' })
  })

  test('allowed domains are for owners to change', async () => {
    await open('organization-permissions', owner.page, admin.page)
    const [mine, seen] = [field(owner.page, 'domains'), field(admin.page, 'domains')]
    const domain = mine.getByRole('textbox', { name: 'New domain' })
    await domain.fill('no domain')
    await domain.press('Enter')
    await mine.getByRole('alert').filter({ hasText: 'Invalid domain' }).waitFor()
    assert.equal(await domain.inputValue(), 'no domain')
    await domain.fill('Globe.example')
    await domain.press('Enter')
    const subdomains = 'Including subdomains of globe.example'
    await mine.getByRole('checkbox', { name: subdomains }).check()
    await seen.getByRole('checkbox', { name: subdomains, checked: true }).waitFor()
    assert.ok(await seen.getByRole('checkbox', { name: subdomains }).isDisabled())
    await seen.getByRole('img', { name: 'Only owners can change this.' }).waitFor()
    await mine.getByRole('button', { name: 'Remove globe.example' }).click()
    await confirm(owner.page, 'Remove')
    await seen.getByText('globe.example').first().waitFor({ state: 'detached' })
  })

  test('new people begin with the defaults, and those who are here keep theirs', async () => {
    await open('organization-level-user-defaults', owner.page, member.page)
    await field(owner.page, 'default_enter_sends').getByRole('checkbox').check()
    await field(owner.page, 'default_color_scheme').getByRole('radio', { name: 'Dark' }).check()
    const seen = field(member.page, 'default_color_scheme')
    await seen.getByRole('radio', { name: 'Dark', checked: true }).waitFor()
    const enter = field(member.page, 'default_enter_sends')
    await enter.getByRole('checkbox', { checked: true }).waitFor()
    assert.ok(await seen.getByRole('radio', { name: 'Dark' }).isDisabled())
    await field(owner.page, 'default_enable_stream_desktop_notifications').waitFor()
    assert.equal(await member.page.locator('html').getAttribute('data-theme'), null)
    const newcomer = await site.server.enroll('Yorick')
    const { user_settings: settings } = await newcomer.post<{
      user_settings: { color_scheme: number; enter_sends: boolean }
    }>('/register', { fetch_event_types: ['user_settings'] })
    assert.deepEqual([settings.color_scheme, settings.enter_sends], [2, true])
  })

  test('default channels are added and removed', async () => {
    await open('default-channels-list', owner.page, member.page)
    const add = owner.page.getByRole('combobox', { name: 'Add a channel' })
    await add.fill('denmark')
    await add.press('Enter')
    await member.page.getByRole('cell', { name: 'Denmark' }).waitFor()
    await add.fill('core team')
    assert.equal(await owner.page.getByRole('option', { name: 'core team' }).count(), 0)
    await owner.page.getByRole('button', { name: 'Remove Denmark' }).click()
    await confirm(owner.page, 'Remove')
    await member.page.getByRole('cell', { name: 'Denmark' }).waitFor({ state: 'detached' })
  })

  test('channel folders are made, ordered, archived and restored', async () => {
    await open('channel-folders', owner.page, member.page)
    await owner.page.getByRole('button', { name: 'Add a folder' }).click()
    const dialog = owner.page.getByRole('dialog', { name: 'Add a folder' })
    const name = dialog.getByRole('textbox', { name: 'Name' })
    await name.fill('engineering')
    await name.press('Enter')
    await dialog.getByRole('alert').filter({ hasText: 'already exists' }).waitFor()
    await name.fill('Stage')
    await name.press('Enter')
    const seen = member.page.getByRole('list', { name: 'Channel folders' })
    await seen.getByText('Stage').waitFor()
    await owner.page.getByRole('button', { name: 'Move up: Stage' }).click()
    const place = (await names(seen)).length - 1
    await seen.locator(`li:nth-child(${place})`, { hasText: 'Stage' }).waitFor()

    await owner.page.getByRole('button', { name: 'Archive Engineering' }).click()
    await confirm(owner.page, 'Archive')
    const refusal = question(owner.page).getByRole('alert')
    await refusal.filter({ hasText: 'contains channels' }).waitFor()
    await confirm(owner.page, 'Cancel')
    await owner.page.getByRole('button', { name: 'Archive Stage' }).click()
    await confirm(owner.page, 'Archive')
    const archived = member.page.getByRole('list', { name: 'Archived folders' })
    await archived.getByText('Stage').waitFor()
    await owner.page.getByRole('button', { name: 'Restore Stage' }).click()
    await seen.getByText('Stage').waitFor()
  })

  test('ways to log in are shown, with who decides about them', async () => {
    await open('auth-methods', member.page)
    const methods = member.page.getByRole('list', { name: 'Authentication methods' })
    await methods.getByRole('listitem').filter({ hasText: 'password' }).getByText('On').waitFor()
    await member.page.getByText('Only the server administrator can add others.').waitFor()
  })

  test('exports are made, downloaded and deleted by administrators', async () => {
    await open('data-exports-admin', owner.page, member.page)
    await member.page.getByText('Only administrators can create and see exports.').waitFor()
    await site.server.as('member').patch('/settings', { allow_private_data_export: true })
    await owner.page.getByText('in their settings: 1 of').waitFor()
    await owner.page.getByRole('button', { name: 'Start export' }).click()
    const link = owner.page.getByRole('link', { name: 'Download' })
    const [download] = await Promise.all([owner.page.waitForEvent('download'), link.click()])
    assert.match(download.suggestedFilename(), /\.tar\.gz$/)
    await open('data-exports-admin', admin.page)
    await admin.page.getByRole('link', { name: 'Download' }).waitFor()
    await owner.page.getByRole('button', { name: 'Delete export' }).click()
    await confirm(owner.page, 'Delete')
    await owner.page.getByRole('cell', { name: /^Deleted/ }).waitFor()
  })

  test('the server is backed up by an owner, which another one sees, with how it is', async () => {
    const { page } = owner
    const { ids } = site.server
    await site.server.as('owner').patch(`/users/${ids.admin}`, { role: 100 })
    await open('server', page, admin.page)
    const seen = admin.page.getByRole('list', { name: 'Backups' }).getByRole('listitem')
    const backups = page.getByRole('list', { name: 'Backups' }).getByRole('listitem')
    await page.getByRole('list', { name: 'Health' }).getByText('Disk').waitFor()
    assert.equal(
      await page.getByRole('button', { name: 'Send me a test email' }).isDisabled(),
      true,
    )
    await page.getByRole('button', { name: 'Make a backup' }).click()
    const link = backups.getByRole('button', { name: /^Download/ })
    await seen.getByRole('button', { name: /^Download/ }).waitFor()
    await link.click()
    const dialog = page.getByRole('dialog', { name: 'Download the backup?' })
    await dialog.getByLabel('Your password').fill('desdemona-password')
    const downloading = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Download' }).click()
    const file = await downloading
    await dialog.waitFor({ state: 'detached' })
    assert.match(file.suggestedFilename(), /^parley-\d{8}T\d{6}Z\.tar\.gz$/)
    await backups.getByRole('button', { name: /^Delete the backup/ }).click()
    await confirm(page, 'Delete')
    await seen.waitFor({ state: 'detached' })
    await site.server.as('owner').patch(`/users/${ids.admin}`, { role: 200 })
    await admin.page.getByText('Only owners').first().waitFor()
  })

  test('the organization is deactivated by an owner who has typed its name', async () => {
    await open('organization-profile', owner.page, admin.page)
    const button = { name: 'Deactivate organization…' }
    assert.ok(await admin.page.getByRole('button', button).isDisabled())
    await owner.page.getByRole('button', button).click()
    const dialog = owner.page.getByRole('dialog', { name: 'Deactivate Globe Theatre?' })
    const end = dialog.getByRole('button', { name: 'Deactivate', exact: true })
    const name = dialog.getByRole('textbox')
    await name.fill('Globe')
    assert.ok(await end.isDisabled())
    await dialog.getByRole('combobox', { name: 'Delete all data' }).selectOption('30')
    await dialog.getByText('cannot be recovered').waitFor()
    await name.fill('Globe Theatre')
    for (const person of [owner, admin, member]) person.expectProblems(/status of 40[0-9]/)
    await end.click()
    await member.page.locator('#app .shell').waitFor({ state: 'detached' })
    await admin.page.locator('#app .shell').waitFor({ state: 'detached' })
  })
})
