import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openSite } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { eventually } from '#test/support/eventually.ts'

describe('overlays of', { skip: noChromium }, async () => {
  if (noChromium) return
  const site = await openSite({ config: { mailGateway: '%s@mail.example.com' } })
  after(() => site.close())

  describe('channels', () => {
    const open = (page: Page, hash: string) => page.evaluate((next) => location.assign(next), hash)

    test('change for another while what they type stays, and say what is refused', async () => {
      const owner = await site.at('owner', '#channels/10/design/general')
      const admin = await site.at('admin', '#channels/10/design/general')
      const description = owner.page.getByRole('textbox', { name: 'Description' })
      await description.fill('**Pixels** and paper')
      await owner.page.locator('.preview strong').getByText('Pixels').waitFor()
      const name = admin.page.getByRole('textbox', { name: 'Name' })
      admin.expectProblems(/status of 400/)
      await name.fill('Denmark')
      await name.press('Enter')
      await admin.page.getByRole('alert').getByText("Channel 'Denmark' already exists").waitFor()
      await name.fill('drawing')
      await name.press('Enter')
      await owner.page.getByRole('heading', { name: 'drawing' }).waitFor()
      assert.equal(await description.inputValue(), '**Pixels** and paper')
      await description.press('Control+Enter')
      await admin.page.locator('.directory-preview strong').getByText('Pixels').waitFor()
    })

    test('show the address by which mail becomes messages, once it is asked for', async () => {
      const { page } = await site.at('member', '#channels/4/Denmark/general')
      await page.getByRole('button', { name: 'Show the address' }).click()
      await page.getByText(/^denmark\.[0-9a-f]{32}@mail\.example\.com$/).waitFor()
      await page.getByRole('button', { name: 'Copy the address' }).waitFor()
    })

    test('say what a change of privacy reveals before it is made', async () => {
      const owner = await site.at('owner', '#channels/12/errors/general')
      const member = await site.at('member', '#channels/12/errors/general')
      await owner.page.getByRole('radio', { name: /^Private, protected history/ }).check()
      await owner.page.getByText('will no longer be able to read this channel').waitFor()
      await owner.page.getByRole('button', { name: 'Save' }).click()
      const seen = member.page.getByRole('radio', { name: /^Private, protected/, checked: true })
      await seen.waitFor()
      assert.ok(await seen.isDisabled())
      await member.page
        .locator('[data-setting="privacy"]')
        .getByRole('img', { name: 'Only administrators can change this.' })
        .waitFor()
      await owner.page.getByRole('radio', { name: /^Public/ }).check()
      await owner.page.getByText('will be able to see the subscribers and every message').waitFor()
      await owner.page.getByRole('button', { name: 'Cancel' }).click()
      await owner.page.getByRole('radio', { name: /^Private, protected/, checked: true }).waitFor()
    })

    test('keep messages as long as an owner says', async () => {
      const owner = await site.at('owner', '#channels/15/test/general')
      const admin = await site.at('admin', '#channels/15/test/general')
      await owner.page.getByRole('combobox', { name: 'Delete messages' }).selectOption('days')
      await owner.page.getByRole('spinbutton', { name: 'Days' }).fill('30')
      await owner.page.getByRole('button', { name: 'Save' }).click()
      const field = admin.page.locator('[data-setting="message_retention_days"]')
      await field.getByText('Only owners can change this.').waitFor()
      await eventually(() => field.locator('input').inputValue(), '30')
    })

    test('take people by name, by group and by pasted addresses', async () => {
      const owner = await site.at('owner', '#channels/4/Denmark/subscribers')
      const member = await site.at('member', '#channels/4/Denmark/subscribers')
      const table = member.page.getByRole('table', { name: 'Subscribers' })
      await table.getByText('Zoe').waitFor()
      assert.equal(await table.getByText('Cordelia').count(), 0)
      const add = owner.page.getByRole('combobox', { name: /Subscribe others/ })
      await add.fill('hamletchar')
      await add.press('Enter')
      await add.fill('polonius@zulip.com, nobody@example.com')
      await add.press('Enter')
      await owner.page.getByText('has these addresses: nobody@example.com').waitFor()
      await owner.page.getByRole('button', { name: 'Subscribe them' }).click()
      await table.getByText('Cordelia').waitFor()
      await table.getByText('Polonius').waitFor()
      assert.ok(await member.page.getByRole('button', { name: 'Remove King Hamlet' }).isVisible())
      assert.equal(await member.page.getByRole('button', { name: 'Remove Zoe' }).count(), 0)
      await owner.page.getByRole('button', { name: 'Remove Zoe' }).click()
      await table.getByText('Zoe').waitFor({ state: 'detached' })
    })

    test('give permissions, which another sees with who may change them', async () => {
      const owner = await site.at('owner', '#channels/13/social/permissions')
      const member = await site.at('member', '#channels/13/social/permissions')
      const field = owner.page.getByRole('group', { name: 'Who can manage the channel' })
      const add = field.getByRole('combobox')
      await add.fill('cordelia')
      await add.press('Enter')
      await field.getByRole('button', { name: 'Save' }).click()
      await member.page
        .getByRole('group', { name: 'Who can start topics' })
        .getByRole('img', { name: /people who manage the channel can change this: Cordelia, Lear/ })
        .waitFor()
    })

    test('are set up for oneself, from their menu', async () => {
      const { page } = await site.at('member', '#narrow/channel/3-Verona')
      const elsewhere = await site.logIn('member', { hash: '#channels/3/Verona/personal' })
      await page.getByRole('button', { name: 'Channel menu' }).first().click()
      await page.getByRole('menuitem', { name: 'Channel settings' }).click()
      const pin = page.getByRole('checkbox', { name: 'Pin to the top' })
      await pin.check()
      await elsewhere.page
        .getByRole('checkbox', { name: 'Pin to the top', checked: true })
        .waitFor()
      const desktop = page.locator('[data-setting="desktop_notifications"]')
      await desktop.getByText('Same as your settings for all channels.').waitFor()
      await desktop.getByRole('checkbox').check()
      await desktop.getByText('Same as your settings').waitFor({ state: 'detached' })
    })

    test('are created, archived and opened again before the eyes of others', async () => {
      const owner = await site.at('owner', '#channels/new')
      const member = await site.at('member', '#channels/all')
      owner.expectProblems(/status of 4/)
      const name = owner.page.getByRole('textbox', { name: 'Name' })
      await name.fill('Denmark')
      await owner.page.getByRole('button', { name: 'Create channel' }).click()
      await owner.page.getByRole('alert').getByText('Denmark').waitFor()
      await name.fill('garden')
      await open(owner.page, '#channels/all')
      await open(owner.page, '#channels/new')
      assert.equal(await name.inputValue(), 'garden')
      await owner.page.getByRole('button', { name: 'Create channel' }).click()
      await owner.page.getByRole('heading', { name: 'garden' }).waitFor()
      await member.page.getByRole('link', { name: /garden/ }).click()
      await owner.page.getByRole('button', { name: 'Archive the channel' }).click()
      await owner.page.getByRole('button', { name: 'Archive', exact: true }).click()
      await member.page.getByText('This channel is archived').waitFor()
      await owner.page.getByRole('button', { name: 'Unarchive', exact: true }).click()
      await owner.page
        .getByRole('dialog', { name: /^Unarchive/ })
        .getByText('Unarchive', { exact: true })
        .click()
      await member.page.getByText('This channel is archived').waitFor({ state: 'detached' })
    })
  })

  describe('groups', () => {
    test('are created with people, and another user sees them come and go', async () => {
      const owner = await site.at('owner', '#groups/new')
      const member = await site.at('member', '#groups/your')
      await owner.page.getByRole('textbox', { name: 'Name' }).fill('players')
      const add = owner.page.getByRole('combobox', { name: /Members/ })
      await add.fill('hamlet@zulip.com; zoe@zulip.com')
      await add.press('Enter')
      await owner.page.getByRole('button', { name: 'Create group' }).click()
      await owner.page.getByRole('heading', { name: 'players' }).waitFor()
      await member.page.getByRole('link', { name: /players/ }).click()
      await member.page.getByRole('link', { name: 'Members' }).click()
      const people = member.page.getByRole('table', { name: 'People' })
      await people.getByText('Zoe').waitFor()
      await member.page.getByText('Only these can add members: Desdemona').waitFor()

      await owner.page.getByRole('link', { name: 'Members' }).click()
      const more = owner.page.getByRole('combobox', { name: /Add people and groups/ })
      await more.fill('hamletchar')
      await more.press('Enter')
      await more.fill('aaron')
      await more.press('Enter')
      await owner.page.getByRole('button', { name: 'Add them' }).click()
      await people.getByText('aaron').waitFor()
      await member.page.getByRole('link', { name: 'hamletcharacters', exact: true }).waitFor()
      await owner.page.getByRole('button', { name: 'Remove Zoe' }).click()
      await people.getByText('Zoe').waitFor({ state: 'detached' })
    })

    test('say where they are used, and cannot be deactivated before', async () => {
      const { server } = site
      const owner = await site.at('owner', '#groups/all')
      const person = owner.page
      await person.getByRole('link', { name: /hamletcharacters/ }).click()
      await person.getByText('This group is in use.').waitFor()
      await person.getByRole('link', { name: 'players', exact: true }).waitFor()
      assert.ok(await person.getByRole('button', { name: 'Deactivate the group' }).isDisabled())
      const { user_groups } = await server.as('owner').get<{
        user_groups: { id: number; name: string }[]
      }>('/user_groups')
      const ids = Object.fromEntries(user_groups.map(({ id, name }) => [name, id]))
      const taken = { delete_subgroups: [ids.hamletcharacters] }
      await server.as('owner').post(`/user_groups/${ids.players}/members`, taken)
      await person.getByText('This group is not used anywhere.').waitFor()
      await person.getByRole('button', { name: 'Deactivate the group' }).click()
      await person.getByRole('button', { name: 'Deactivate', exact: true }).click()
      await person.getByRole('button', { name: 'Reactivate the group' }).click()
      await person.getByRole('button', { name: 'Deactivate the group' }).waitFor()
    })

    test('are reached from the menu of who is in them, and from their mentions', async () => {
      const { page } = await site.at('member', '#inbox')
      const people = page.getByRole('complementary', { name: 'People' })
      await people
        .getByRole('button', { name: /^Profile of Cordelia/ })
        .first()
        .click()
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'hamletcharacters' }).click()
      await page.getByRole('table', { name: 'People' }).getByText('King Hamlet').waitFor()
      const message = {
        type: 'channel',
        to: 'Verona',
        topic: 'stage',
        content: '@*hamletcharacters*',
      }
      await site.server.as('owner').post('/messages', message)
      await page.evaluate(() => location.assign('#narrow/channel/3-Verona/topic/stage'))
      await page.locator('.user-group-mention').first().click()
      await page.getByRole('heading', { name: 'hamletcharacters' }).waitFor()
    })

    test('give permissions, and take a new name', async () => {
      const owner = await site.at('owner', '#groups/all')
      const member = await site.at('member', '#groups/all')
      await member.page.getByRole('link', { name: /players/ }).click()
      await owner.page.getByRole('link', { name: /players/ }).click()
      const name = owner.page.getByRole('textbox', { name: 'Name' })
      owner.expectProblems(/status of 400/)
      await name.fill('hamletcharacters')
      await name.press('Enter')
      await owner.page.getByRole('alert').getByText('already exists').waitFor()
      await name.fill('actors')
      await name.press('Enter')
      await member.page.getByRole('heading', { name: 'actors' }).waitFor()
      await owner.page.getByRole('link', { name: 'Permissions' }).click()
      await member.page.getByRole('link', { name: 'Permissions' }).click()
      const field = owner.page.getByRole('group', { name: 'Who can join the group' })
      await field.getByRole('combobox').fill('moderators')
      await field.getByRole('combobox').press('Enter')
      await field.getByRole('button', { name: 'Save' }).click()
      await member.page
        .getByRole('group', { name: 'Who can join the group' })
        .getByText('Moderators')
        .waitFor()
    })

    test('are left by who is in them, and are one pane on a phone', async () => {
      const { page } = await site.at('member', '#groups/your')
      await page.setViewportSize({ width: 390, height: 844 })
      await page.getByRole('link', { name: /actors/ }).click()
      await page.getByRole('button', { name: 'Leave the group' }).click()
      await page.getByRole('button', { name: 'Leave the group' }).waitFor({ state: 'detached' })
      await page.getByRole('link', { name: 'All groups', exact: true }).last().click()
      await page.getByRole('searchbox', { name: 'Filter groups' }).waitFor()
    })
  })
})
