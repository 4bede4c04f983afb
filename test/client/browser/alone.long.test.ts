import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { insertOnboardingStep } from '#features/people/onboarding/queries.ts'
import { openSite } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { pngPicture } from '#test/support/pictures.ts'

describe('someone who is alone', { skip: noChromium }, async () => {
  if (noChromium) return
  const site = await openSite()
  after(() => site.close())
  const { server } = site
  const owner = server.as('owner')
  const { members } = await owner.get<{
    members: { user_id: number; is_bot: boolean; is_active: boolean }[]
  }>('/users')
  const others = members.filter(
    ({ user_id, is_bot, is_active }) => is_active && !is_bot && user_id !== server.ids.owner,
  )
  const { store } = server.server.context

  test('is shown what is left to do, until it is done, and may invite others', async () => {
    await store.write((tx) => insertOnboardingStep(tx, server.ids.owner, 'getting_started'))
    const { page, leave } = await site.logIn('owner', { hash: '#inbox' })
    const bar = page.getByRole('complementary', { name: 'People' })
    const invitation = bar.getByRole('link', { name: 'Invite people' })
    await bar.getByText('(you)').waitFor()
    assert.equal(await invitation.count(), 0, 'others are here')
    for (const { user_id } of others) await owner.del(`/users/${user_id}`)
    await invitation.click()
    await page.getByRole('dialog', { name: 'Invite people' }).waitFor()
    await page.keyboard.press('Escape')

    const list = bar.getByRole('region', { name: 'Getting started' })
    const icon = list.getByRole('link', { name: 'Add an icon for your organization' })
    await icon.waitFor()
    // There are more channels than an organization begins with.
    assert.equal(await list.getByRole('link', { name: 'Create your first channel' }).count(), 0)
    await icon.click()
    const file = { name: 'icon.png', mimeType: 'image/png', buffer: pngPicture(64, 64) }
    await page.getByLabel('File: Icon').setInputFiles([file])
    await page.getByRole('button', { name: 'Use this part' }).click()
    await icon.waitFor({ state: 'detached' })
    await leave()
  })

  test('dismisses the list for good, and keeps the invitation until another is here', async () => {
    await store.write((tx) => insertOnboardingStep(tx, server.ids.owner, 'getting_started'))
    await owner.del('/realm/icon')
    const { page, leave } = await site.logIn('owner', { hash: '#inbox' })
    const bar = page.getByRole('complementary', { name: 'People' })
    const list = bar.getByRole('region', { name: 'Getting started' })
    await list.getByRole('button', { name: 'Do not show this again' }).click()
    await list.waitFor({ state: 'detached' })
    await page.reload()
    const invitation = bar.getByRole('link', { name: 'Invite people' })
    await invitation.waitFor()
    assert.equal(await list.count(), 0)
    await owner.post(`/users/${server.ids.member}/reactivate`)
    await invitation.waitFor({ state: 'detached' })
    await leave()
  })
})
