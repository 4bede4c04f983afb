import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { findUser } from '#features/foundation/users/queries.ts'
import { startOnboarding } from '#features/people/onboarding/actions.ts'
import { violations } from '#test/support/axe.ts'
import { clientDrawn, openSite, type Person, type Site } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'

describe('people', { skip: noChromium }, () => {
  let site: Site
  let owner: Person
  let member: Person
  before(async () => {
    site = await openSite()
    owner = await site.logIn('owner', { hash: '#organization/users/active' })
    member = await site.logIn('member')
  })
  after(() => site.close())

  const go = async (page: Page, hash: string) => {
    await page.evaluate((next) => location.assign(next), hash)
    await page.waitForURL((url) => url.hash === hash)
  }
  /** Waits until the browser has left the address of an overlay, which it does after it is closed. */
  const left = (page: Page, overlay: string) =>
    page.waitForURL((url) => !url.hash.startsWith(overlay))
  const field = (page: Page, name: string) => page.locator(`[data-setting="${name}"]`)

  test('are sorted, filtered and chosen by role, and their page opens above the table', async () => {
    const { page } = owner
    const table = page.getByRole('table', { name: 'Active people' })
    const names = table.locator('.person-link')
    await names.first().waitFor()
    const ascending = await names.allTextContents()
    await table.getByRole('button', { name: 'Name' }).click()
    await table.locator('th[aria-sort="descending"]').waitFor()
    assert.deepEqual(await names.allTextContents(), ascending.toReversed())
    await page.getByRole('combobox', { name: 'Role' }).selectOption({ label: 'Administrator' })
    assert.deepEqual(await names.allTextContents(), ['Iago'])
    await page.getByRole('combobox', { name: 'Role' }).selectOption({ label: 'All roles' })
    await page.getByRole('searchbox', { name: /Filter: Active/ }).fill('cordel')
    await names.filter({ hasText: 'Cordelia' }).click()
    const dialog = page.getByRole('dialog', { name: /Cordelia/ })
    await dialog.getByText('cordelia@zulip.com').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.equal(
      await page.getByRole('searchbox', { name: /Filter: Active/ }).inputValue(),
      'cordel',
    )
  })

  test('join by a link that another administrator sees and revokes', async () => {
    const admin = await site.logIn('admin', { hash: '#organization/users/invitations' })
    await admin.page.getByText('There are no open invitations.', { exact: false }).waitFor()
    const { page } = owner
    await go(page, '#invite')
    const dialog = page.getByRole('dialog', { name: 'Invite people' })
    await dialog.getByRole('combobox', { name: 'They join as' }).selectOption({ label: 'Guest' })
    await dialog.getByRole('combobox', { name: 'Expires' }).selectOption({ label: 'In 3 days' })
    await dialog.getByRole('checkbox', { name: /Default channels/ }).uncheck()
    const channel = dialog.getByRole('combobox', { name: 'Add a channel' })
    await channel.fill('verona')
    await channel.press('Enter')
    await dialog.getByRole('button', { name: 'Remove Verona' }).waitFor()
    await dialog.getByRole('button', { name: 'Create link' }).click()
    const link = await dialog.locator('.secret').textContent()
    assert.match(link ?? '', /\/join\/[0-9a-f]+\/$/)
    await dialog.getByText('It expires in 3 days', { exact: false }).waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await left(page, '#invite')

    const row = admin.page.getByRole('row', { name: /Link \d+/ })
    await row.getByText('Guest').waitFor()
    await row.getByText('Desdemona').waitFor()
    await row.getByRole('button', { name: /^Revoke/ }).click()
    await admin.page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await row.waitFor({ state: 'detached' })
    const { invites } = await site.server.as('owner').get<{ invites: unknown[] }>('/invites')
    assert.deepEqual(invites, [])
  })

  test('are invited by a link where the server has no mail, which the form says', async () => {
    const { page } = owner
    await go(page, '#invite')
    const dialog = page.getByRole('dialog', { name: 'Invite people' })
    await dialog.getByText('Email: This server does not send email.').waitFor()
    assert.equal(await dialog.getByRole('radio', { name: 'Email' }).isDisabled(), true)
    await dialog
      .getByRole('combobox', { name: 'They join as' })
      .selectOption({ label: 'Moderator' })
    await dialog.getByRole('button', { name: 'Create link' }).click()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await left(page, '#invite')
    const { invites } = await site.server
      .as('owner')
      .get<{ invites: { invited_as: number }[] }>('/invites')
    assert.deepEqual(
      invites.map(({ invited_as }) => invited_as),
      [300],
    )
  })

  test('get an account with a password from an administrator', async () => {
    const { page } = owner
    // An address that is taken is refused.
    owner.expectProblems(/status of 400/)
    await go(page, '#organization/users/active')
    await page.getByRole('button', { name: 'Create account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create account' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Iris')
    await dialog.getByRole('textbox', { name: /Email address/ }).fill('iago@zulip.com')
    const create = dialog.getByRole('button', { name: 'Create account' })
    await create.click()
    await dialog
      .getByRole('alert')
      .filter({ hasText: /already|in use|taken/i })
      .waitFor()
    assert.equal(await dialog.getByRole('textbox', { name: 'Name' }).inputValue(), 'Iris')
    await dialog.getByRole('textbox', { name: /Email address/ }).fill('iris@example.com')
    await create.click()
    const [, username, password] = ((await dialog.locator('pre').textContent()) ?? '').split('\n')
    const key = await site.server.anonymous.post('/fetch_api_key', { username, password })
    assert.equal(key.result, 'success')
    await dialog.getByRole('button', { name: 'Role, channels and groups' }).click()
    const person = page.getByRole('dialog', { name: 'Iris' })
    await field(page, 'role').getByRole('combobox').selectOption({ label: 'Moderator' })
    await field(page, 'role').getByText('Saved').waitFor()
    await page.keyboard.press('Escape')
    await person.waitFor({ state: 'detached' })
    await left(page, '#user')
    await page.getByRole('row', { name: /Iris/ }).getByText('Moderator').waitFor()
  })

  test('have roles and fields that administrators change, and others see who may', async () => {
    const cordelia = `#user/${site.server.ids.cordelia}`
    await go(member.page, cordelia)
    const seen = member.page.getByRole('dialog', { name: /Cordelia/ })
    await seen.getByRole('button', { name: 'Manage' }).click()
    const role = field(member.page, 'role')
    await role.getByRole('img', { name: 'Only administrators can change this.' }).waitFor()
    assert.ok(await role.getByRole('combobox').isDisabled())

    const { page } = owner
    await go(page, cordelia)
    const dialog = page.getByRole('dialog', { name: /Cordelia/ })
    await dialog.getByRole('button', { name: 'Manage' }).click()
    const name = dialog.getByRole('textbox', { name: 'Name', exact: true })
    await name.fill('Cordelia, half typed')
    await dialog.getByRole('combobox', { name: 'Favorite editor' }).selectOption({ label: 'Vim' })
    await field(page, 'role').getByRole('combobox').selectOption({ label: 'Moderator' })
    await member.page.waitForFunction(
      () =>
        document.querySelector<HTMLSelectElement>('[data-setting=role] select')?.value === '300',
    )
    assert.equal(await name.inputValue(), 'Cordelia, half typed')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await seen.getByRole('button', { name: 'Profile' }).click()
    await seen.getByText('Vim').waitFor()
    await seen.getByText('Moderator').waitFor()
  })

  test('are put into channels and groups and taken out again', async () => {
    const { page } = owner
    const id = site.server.ids.outsider
    await go(member.page, `#user/${id}`)
    await member.page.getByRole('button', { name: 'Channels', exact: true }).click()
    const seen = member.page.getByRole('list', { name: 'Channels' })
    await seen.getByRole('link', { name: 'Verona' }).waitFor()
    await go(page, `#user/${id}`)
    await page.getByRole('dialog').getByRole('button', { name: 'Channels', exact: true }).click()
    const add = page.getByRole('combobox', { name: 'Subscribe to a channel' })
    await add.fill('denmark')
    await add.press('Enter')
    await seen.getByRole('link', { name: 'Denmark' }).waitFor()
    await page.getByRole('button', { name: 'Remove from Denmark' }).click()
    await seen.getByRole('link', { name: 'Denmark' }).waitFor({ state: 'detached' })

    await member.page.getByRole('button', { name: 'Groups', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Groups', exact: true }).click()
    const group = page.getByRole('combobox', { name: 'Add to a group' })
    await group.fill('hamlet')
    await group.press('Enter')
    const groups = member.page.getByRole('list', { name: 'Groups' })
    await groups.getByRole('link', { name: 'hamletcharacters' }).waitFor()
    await page.getByRole('button', { name: 'Remove from hamletcharacters' }).click()
    await groups.getByRole('link', { name: 'hamletcharacters' }).waitFor({ state: 'detached' })
  })

  test('are deactivated with what follows from that, and come back', async () => {
    const { page } = owner
    await go(page, '#organization/users/active')
    await go(member.page, '#organization/users/deactivated')
    await page.getByRole('button', { name: 'Deactivate aaron' }).click()
    const dialog = page.getByRole('dialog', { name: 'Deactivate aaron?' })
    await dialog.getByText('They are logged out everywhere', { exact: false }).waitFor()
    await dialog.getByRole('checkbox', { name: /^Notify them by email/ }).check()
    await dialog.getByRole('textbox').fill('So long')
    await dialog.getByRole('button', { name: 'Deactivate' }).click()
    const seen = member.page.getByRole('dialog').getByRole('link', { name: 'aaron' })
    await seen.waitFor()
    await page.getByRole('link', { name: 'Deactivated', exact: true }).click()
    await page.getByRole('button', { name: 'Reactivate aaron' }).click()
    await seen.waitFor({ state: 'detached' })
  })

  test('have bots, which administrators give to others and deactivate', async () => {
    const { page } = owner
    await go(page, '#organization/bots/all-bots')
    await go(member.page, '#organization/bots/all-bots')
    const row = member.page.getByRole('row', { name: /Zulip Default Bot/ })
    await row.waitFor()
    assert.equal(await row.getByRole('button').count(), 0)
    await page.getByRole('table').getByText('Zulip Default Bot').click()
    await page
      .getByRole('dialog', { name: /Default Bot/ })
      .getByRole('button', { name: 'Manage' })
      .click()
    const other = page.getByRole('combobox', { name: 'Another owner' })
    await other.fill('hamlet')
    await other.press('Enter')
    await field(page, 'bot_owner_id').getByText('King Hamlet').waitFor()
    await row.getByRole('button', { name: /^Edit/ }).waitFor()
    // Whose bot it is may rename it; its role is for administrators.
    await row.getByRole('link', { name: /Default Bot/ }).click()
    const own = member.page.getByRole('dialog', { name: /Default Bot/ })
    await own.getByRole('button', { name: 'Manage' }).click()
    assert.ok(await own.getByRole('textbox', { name: 'Name' }).isEnabled())
    assert.ok(await own.getByRole('combobox', { name: 'Role' }).isDisabled())
    await member.page.keyboard.press('Escape')
    await left(member.page, '#user')
    await page.getByRole('button', { name: 'Deactivate', exact: true }).click()
    await page
      .getByRole('dialog', { name: /^Deactivate/ })
      .getByRole('button', { name: 'Deactivate' })
      .click()
    await row.waitFor({ state: 'detached' })
  })

  test('who are new are led through what they set first, once: owners to more of it', async () => {
    const { server } = site
    const yorick = await server.enroll('Yorick')
    await server.server.context.store.write((tx) => {
      const founder = findUser(tx, server.ids.owner)
      if (founder) startOnboarding(tx, founder)
    })
    // No event says that someone is new: the page has to register.
    await owner.page.addInitScript(() => localStorage.removeItem('parley:kept'))
    await owner.page.reload()
    const guide = ({ page }: Person) => page.getByRole('dialog', { name: /^Welcome to / })
    await go(owner.page, '#inbox')
    const steps = guide(owner)
    const next = (dialog: Locator) => dialog.getByRole('button', { name: 'Next' }).click()
    await steps.getByText('Step 1 of 4').waitFor()
    assert.deepEqual(await violations(owner.page), [])
    await next(steps)
    await steps.getByRole('heading', { name: 'Your organization' }).waitFor()
    await next(steps)
    await steps.getByRole('textbox', { name: 'Name of another channel' }).fill('graveyard')
    await steps.getByRole('button', { name: 'Add' }).click()
    await steps.getByRole('listitem').filter({ hasText: 'graveyard' }).waitFor()
    await steps.getByRole('button', { name: 'announcements' }).click()
    await steps.getByRole('listitem').filter({ hasText: 'announcements' }).waitFor()
    await next(steps)
    await steps.getByText('/join/', { exact: false }).waitFor()
    await steps.getByRole('button', { name: 'Copy link' }).waitFor()
    await steps.getByText(/^Only this computer .*PARLEY_URL/).waitFor()
    assert.equal(await steps.getByRole('img', { name: 'QR code' }).count(), 0, 'it leads nowhere')
    await steps.getByRole('button', { name: 'Done' }).click()
    await steps.waitFor({ state: 'detached' })

    const newcomer = await site.visit('/login/#inbox')
    await newcomer.page.getByRole('button', { name: 'Yorick', exact: true }).click()
    const own = guide(newcomer)
    await own.getByText('Step 1 of 2').waitFor()
    await next(own)
    await own.getByRole('checkbox', { name: 'graveyard' }).check()
    const names = async () => {
      const { subscriptions } = await yorick.get<{ subscriptions: { name: string }[] }>(
        '/users/me/subscriptions',
      )
      return subscriptions.map(({ name }) => name)
    }
    await newcomer.page
      .getByRole('link', { name: /graveyard/ })
      .first()
      .waitFor()
    assert.deepEqual(await names(), ['graveyard'])
    await own.getByRole('button', { name: 'Skip all this' }).click()
    await own.waitFor({ state: 'detached' })
    await newcomer.page.reload()
    await clientDrawn(newcomer.page)
    const { onboarding_steps: left } = await yorick.post<{ onboarding_steps: { name: string }[] }>(
      '/register',
    )
    assert.equal(
      left.some(({ name }) => name === 'first_steps'),
      false,
    )
    assert.equal(await own.count(), 0)
    await newcomer.page.context().close()
  })
})
