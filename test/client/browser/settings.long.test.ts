import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openSite } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { eventually } from '#test/support/eventually.ts'

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
    await page.getByRole('heading', { name: 'Verona', level: 1 }).waitFor()
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
    const here = await site.at('member', '#settings/notifications')
    const there = await site.logIn('member', { hash: '#settings/notifications' })
    const name = 'email_notifications_batching_period_seconds'
    const delay = (page: Page) => page.locator(`[data-setting="${name}"] input`)
    const content = { name: 'Include message content in email notifications' }
    await delay(here.page).fill('18')
    const was = await there.page.getByRole('checkbox', content).isChecked()
    await there.page.getByRole('checkbox', content).click()
    await there.page.getByText('Saved').waitFor()
    await here.page.getByRole('checkbox', { ...content, checked: !was }).waitFor()
    assert.equal(await delay(here.page).inputValue(), '18')
    await delay(here.page).press('Enter')
    await eventually(() => delay(there.page).inputValue(), '18')
  })

  test('show how compact and comfortable pages look, and sliders for other sizes', async () => {
    const { page } = await site.at('member', '#settings/preferences')
    const density = page.getByRole('group', { name: 'Density' })
    const preview = page.getByRole('img', { name: 'Preview' })
    const drawn = () =>
      page.evaluate(() => {
        const text = document.querySelector('.density-preview p') as Element
        const { lineHeight, fontSize } = getComputedStyle(text)
        const zoom = Number(getComputedStyle(text.closest('ol') as Element).zoom)
        const ratio = Number.parseFloat(lineHeight) / Number.parseFloat(fontSize)
        const root = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
        return { line: Math.round(ratio * 100), size: Math.round(root * zoom), root }
      })
    const saved = async () => {
      const { user_settings } = await site.server
        .as('member')
        .post<{ user_settings: Record<string, number> }>('/register', {
          fetch_event_types: ['user_settings'],
          client_capabilities: { user_settings_object: true },
        })
      return [user_settings.web_font_size_px, user_settings.web_line_height_percent]
    }
    await density.getByRole('radio', { name: 'Comfortable', checked: true }).waitFor()
    assert.equal(await preview.locator('[data-message-id]').count(), 3)
    assert.equal(await page.getByRole('slider').count(), 0)
    assert.deepEqual(await drawn(), { line: 140, size: 16, root: 16 })

    await density.getByRole('radio', { name: 'Compact' }).check()
    await density.getByText('Saved').waitFor()
    assert.deepEqual(await drawn(), { line: 122, size: 14, root: 14 })
    assert.deepEqual(await saved(), [14, 122], 'both at once')

    await density.getByRole('radio', { name: 'Custom' }).check()
    const size = page.getByRole('slider', { name: 'Font size' })
    assert.equal(await size.getAttribute('aria-valuetext'), '14 px')
    // While it is moved, only the preview changes.
    await size.evaluate((element: HTMLInputElement) => {
      element.value = '20'
      element.dispatchEvent(new Event('input', { bubbles: true }))
    })
    await page.getByText('20 px', { exact: true }).waitFor()
    assert.deepEqual(await drawn(), { line: 122, size: 20, root: 14 })
    assert.deepEqual(await saved(), [14, 122])
    await size.dispatchEvent('change')
    await page.getByText('Saved').first().waitFor()
    assert.deepEqual(await drawn(), { line: 122, size: 20, root: 20 })
    await eventually(saved, [20, 122])
    await page.getByRole('slider', { name: 'Line height' }).press('ArrowRight')
    await page.getByText('123%', { exact: true }).waitFor()

    await density.getByRole('radio', { name: 'Comfortable' }).check()
    await size.waitFor({ state: 'detached' })
    assert.deepEqual(await drawn(), { line: 140, size: 16, root: 16 })
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

  test('say in one sentence that some are for owners, and others for administrators', async () => {
    const { page } = await site.at('member', '#organization/organization-permissions')
    const area = page.locator('.settings-page')
    const reasons = ['Only administrators can change this.', 'Only owners can change this.']
    const both = 'Only owners can change some of them; administrators can change the rest.'
    await area.locator('.lock-banner').getByText(both).waitFor()
    for (const reason of reasons) {
      assert.equal(await area.getByText(reason).count(), 0)
      assert.ok((await area.getByRole('img', { name: reason }).count()) > 1)
    }
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
