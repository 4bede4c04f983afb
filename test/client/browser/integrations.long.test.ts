import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openSite } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { eventually } from '#test/support/eventually.ts'

describe('integrations', { skip: noChromium }, async () => {
  if (noChromium) return
  const site = await openSite()
  after(() => site.close())

  test('lead from their page to the first delivered message', async () => {
    const { page } = await site.logIn('member')
    await page.goto('/integrations/')
    await page.getByRole('searchbox', { name: 'Find an integration' }).fill('gith')
    await page.getByRole('link', { name: 'GitHub', exact: true }).click()
    await page.getByRole('figure').getByText('Water the plants').first().waitFor()
    await page.getByRole('button', { name: 'Create bot' }).click()

    await page.getByRole('combobox', { name: 'Channel' }).selectOption({ label: '#Denmark' })
    const url = page.locator('.field', { hasText: 'The URL' }).locator('.secret')
    await page.getByRole('combobox', { name: 'Events' }).selectOption({ label: 'Only some' })
    await page.getByText('Choose which events to post.').waitFor()
    await page.getByRole('checkbox', { name: 'push commits' }).check()
    await url.filter({ hasText: 'only_events=%5B%22push_commits%22%5D' }).waitFor()

    // The URL is the whole of what a service needs; the test needs no right of the session.
    const given = new URL((await url.textContent()) ?? '')
    assert.equal(given.pathname, '/api/v1/external/github')
    assert.equal(given.searchParams.get('stream'), String(site.server.channels.public))
    const body = JSON.stringify({ zen: 'Practicality beats purity.', hook: {}, repository: {} })
    const headers = { 'X-GitHub-Event': 'ping', 'Content-Type': 'application/json' }
    const posted = await fetch(site.server.url + given.pathname + given.search, {
      method: 'POST',
      headers,
      body,
    })
    assert.equal(posted.status, 200)

    await page.getByRole('button', { name: 'Send a test' }).click()
    const delivery = page.locator('.deliveries li').first()
    await delivery.getByText('Messages: 1').waitFor()
    await delivery.getByText('200', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Go to the message' }).click()
    const row = page.locator('.message', { hasText: 'They were dry on Monday.' })
    await row.getByText('GitHub', { exact: true }).waitFor()
  })

  test('follow the creation of a bot for webhooks, with what is refused', async () => {
    const { page, expectProblems } = await site.at('owner', '#settings/your-bots')
    expectProblems(/status of 400/)
    await page.getByRole('button', { name: 'New bot' }).click()
    const dialog = page.getByRole('dialog', { name: 'New bot' })
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Watcher')
    await dialog.getByRole('combobox', { name: 'Kind' }).selectOption({ label: 'Incoming webhook' })
    await dialog
      .getByRole('textbox', { name: 'Short name, used in its email address' })
      .fill('watcher')
    await dialog.getByRole('button', { name: 'Create bot' }).click()
    await page.getByText('Which service is Watcher for?').waitFor()
    await page.getByRole('link', { name: 'Grafana' }).click()
    await page.getByRole('combobox', { name: 'Bot that posts', exact: true }).waitFor()
    const copied = page.getByRole('button', { name: 'Copy the URL' })
    await copied.waitFor()

    const owner = site.server.as('owner')
    const channel = { name: 'Alarms', subscribers: [owner.id] }
    const { id } = await owner.post<{ id: number }>('/channels/create', channel)
    const choice = page.getByRole('combobox', { name: 'Channel' })
    await choice.selectOption({ label: '#Alarms' })
    await owner.patch(`/streams/${id}`, { topics_policy: 'empty_topic_only' })
    await page.getByRole('textbox', { name: 'Topic' }).fill('fire')
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByRole('alert').waitFor()
  })

  test('send no test where only the service knows how to sign it', async () => {
    const owner = site.server.as('owner')
    const { user_id } = await owner.post<{ user_id: number }>('/bots', {
      full_name: 'Forge',
      short_name: 'forge',
      bot_type: 2,
      service_name: 'gitlab',
    })
    const { page } = await site.at('owner', `#settings/integrations/${user_id}/gitlab`)
    const button = page.getByRole('button', { name: 'Send a test' })
    await button.waitFor()
    const titles = page.getByRole('checkbox', { name: 'Titles of merge requests in topics' })
    assert.equal(await titles.isChecked(), true)
    await titles.uncheck()
    const url = page.locator('.integration-url')
    await url.filter({ hasText: 'use_merge_request_title=false' }).waitFor()
    await titles.check()
    await url.filter({ hasNotText: 'use_merge_request_title' }).waitFor()
    const secret = page.getByRole('textbox', { name: /secret/i })
    await secret.fill('moonlight')
    await secret.press('Enter')
    await page.getByText('only GitLab can send a signed test', { exact: false }).waitFor()
    assert.equal(await button.count(), 0)
    await secret.fill('')
    await secret.press('Enter')
    await button.waitFor()
  })

  test('offer a webhook URL only to those who may create bots', async () => {
    const owner = site.server.as('owner')
    const nobody = JSON.stringify({ new: { direct_members: [owner.id], direct_subgroups: [] } })
    await owner.patch('/realm', {
      can_create_bots_group: nobody,
      can_create_write_only_bots_group: nobody,
    })
    const { page } = await site.logIn('cordelia', { hash: '#settings/integrations/gitlab' })
    await page.getByText('you are not allowed to create bots', { exact: false }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Create bot' }).count(), 0)
  })

  test('are found by typing where there are many to choose from', async () => {
    const owner = site.server.as('owner')
    for (let i = 1; i <= 40; i++) {
      await owner.post('/channels/create', { name: `Ward ${i}`, subscribers: [owner.id] })
    }
    const bot = { full_name: 'Ward Watch', short_name: 'ward-watch', bot_type: 2 }
    const { user_id } = await owner.post<{ user_id: number }>('/bots', bot)
    const { page } = await site.at('owner', `#settings/integrations/${user_id}/github`)
    const choice = page.getByRole('combobox', { name: 'Channel' })
    await choice.fill('ward 37')
    await choice.press('Enter')
    await eventually(() => choice.inputValue(), '#Ward 37')
    await choice.fill('nowhere')
    await page.getByText('Nothing found').waitFor()
    await page.getByRole('textbox', { name: 'Topic' }).focus()
    await eventually(() => choice.inputValue(), '#Ward 37')
    await choice.fill('none')
    await page.getByRole('option', { name: /^None/ }).click()
    await page.getByRole('textbox', { name: 'Topic' }).waitFor({ state: 'detached' })
  })
})
