import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openSite } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'

describe('settings', { skip: noChromium }, async () => {
  if (noChromium) return
  const site = await openSite()
  after(() => site.close())

  test('lie over the view, lead from section to section, and Back leaves them', async () => {
    const { page } = await site.at('member', '#narrow/channel/3-Verona')
    await page.getByRole('button', { name: 'Your menu' }).click()
    await page.getByRole('menuitem', { name: 'Settings', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Settings' })
    await dialog.getByRole('link', { name: 'Preferences' }).click()
    await dialog.getByRole('heading', { name: 'Preferences' }).waitFor()
    assert.match(page.url(), /#settings\/preferences$/)
    await dialog.getByRole('link', { name: 'Organization' }).click()
    await page.getByRole('dialog', { name: 'Organization settings' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.evaluate(() => location.assign('#channels/all'))
    // What is shown has the focus, not the first of its kind.
    await page.locator('a:focus', { hasText: 'All' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.match(page.url(), /#narrow\/channel\/3-Verona$/)
    await page.getByRole('heading', { name: 'Verona' }).waitFor()
  })

  test('are found by what they are called', async () => {
    const { page } = await site.at('member', '#settings')
    await page.getByRole('searchbox', { name: 'Find a setting' }).fill('enter to send')
    await page.getByRole('link', { name: 'Press Enter to send' }).click()
    await page.locator('[data-setting="enter_sends"] input:focus').waitFor()
  })

  test('tell above the dialog what a button has done', async () => {
    const { page } = await site.at('member', '#settings/notifications')
    await page.getByRole('combobox', { name: 'Sound' }).selectOption('none')
    await page.getByRole('button', { name: 'Test sound' }).click()
    await page.getByRole('dialog').getByText('No sound is selected.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Dismiss' }).click()
    await page.getByText('No sound is selected.').waitFor({ state: 'detached' })
  })

  test('are saved at once, and show what another window changes without losing what is typed', async () => {
    const here = await site.at('member', '#settings/preferences')
    const there = await site.logIn('member', { hash: '#settings/preferences' })
    const size = here.page.getByRole('spinbutton', { name: 'Font size' })
    await size.fill('18')
    await there.page.getByRole('checkbox', { name: 'High contrast' }).check()
    await there.page.getByText('Saved').waitFor()
    await here.page.getByRole('checkbox', { name: 'High contrast', checked: true }).waitFor()
    assert.equal(await size.inputValue(), '18')
    await size.press('Enter')
    await there.page.waitForFunction(
      "document.querySelector('[data-setting=web_font_size_px] input').value === '18'",
    )
  })

  test('say what the server refuses beside the field, and who may change what one may not', async () => {
    const person = await site.at('admin', '#organization/organization-settings')
    const { page } = person
    person.expectProblems(/status of 400/)
    const name = page.getByRole('textbox', { name: 'Name for messages without a topic' })
    await name.fill('   ')
    await name.press('Enter')
    await page
      .locator('[data-setting="empty_topic_display_name"]')
      .getByRole('alert')
      .filter({ hasText: "can't be blank" })
      .waitFor()
    assert.equal(await name.inputValue(), '   ')
    await name.press('Escape')
    assert.equal(await name.inputValue(), 'general chat')
    await page.getByRole('dialog').waitFor()
    const retention = page.locator('[data-setting="message_retention_days"]')
    await retention.getByText('Only owners can change this.').waitFor()
    assert.ok(await retention.getByRole('checkbox').isDisabled())
  })

  test('say once why they are locked, and beside a field only if it has another reason', async () => {
    const { page } = await site.at('admin', '#organization/organization-settings')
    const byOwners = 'Only owners can change this.'
    const retention = page.locator('[data-setting="message_retention_days"]')
    await retention.getByText(byOwners).waitFor()
    assert.equal(await page.locator('.lock-banner').count(), 0)

    const member = await site.at('member', '#organization/organization-settings')
    const reason = 'Only administrators can change this.'
    const area = member.page.getByRole('region', { name: 'Settings', exact: true })
    const banner = area.locator('.lock-banner')
    await banner.getByText(`marked with a lock, but not change them. ${reason}`).waitFor()
    assert.equal(await area.getByText(reason).count(), 1)
    const marks = area.getByRole('img', { name: reason })
    assert.ok((await marks.count()) > 10)
    await area.locator('[data-setting="message_retention_days"]').getByText(byOwners).waitFor()
    const name = area.getByRole('textbox', { name: 'Name for messages without a topic' })
    assert.ok(await name.isDisabled())
    const described = (await name.getAttribute('aria-describedby'))?.split(' ') ?? []
    const words = await area.evaluate(
      (root, ids) =>
        ids.map((id) => root.querySelector(`#${id} [aria-label]`)?.getAttribute('aria-label')),
      described,
    )
    assert.ok(words.includes(reason), 'a screen reader says why')
  })

  test('give a permission to groups and people, which another sees', async () => {
    const owner = await site.at('owner', '#organization/organization-permissions')
    const other = await site.at('member', '#organization/organization-permissions')
    const field = owner.page.getByRole('group', { name: 'Who can resolve topics' })
    await field.getByRole('button', { name: 'Remove Everyone, including guests' }).click()
    const add = field.getByRole('combobox')
    await add.fill('moderators')
    await add.press('Enter')
    await add.fill('cordelia')
    await add.press('Enter')
    await field.getByRole('button', { name: 'Save' }).click()
    const seen = other.page.getByRole('group', { name: 'Who can resolve topics' })
    await seen.getByText('Moderators').waitFor()
    await seen.getByText('Cordelia').waitFor()
    await seen.getByRole('img', { name: 'Only administrators can change this.' }).waitFor()
    const { ids } = site.server
    const { realm_can_resolve_topics_group: value } = await site.server
      .as('owner')
      .post<{ realm_can_resolve_topics_group: { direct_members: number[] } }>('/register', {
        fetch_event_types: ['realm'],
      })
    assert.deepEqual(value.direct_members, [ids.cordelia])
  })

  test('are one pane on a phone: the list, then a section with a way back', async () => {
    const { page } = await site.at('member', '#settings')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('link', { name: 'Preferences' }).click()
    await page.getByRole('heading', { name: 'Preferences' }).waitFor()
    assert.ok(await page.getByRole('searchbox', { name: 'Find a setting' }).isHidden())
    await page.getByRole('link', { name: 'All sections' }).click()
    await page.getByRole('searchbox', { name: 'Find a setting' }).waitFor()
  })
})
