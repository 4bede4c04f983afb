import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { userSettingOffers } from '#client/settings/labels/user.ts'
import { sections } from '#client/settings/sections.ts'
import { openSite } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { pngPicture } from '#test/support/pictures.ts'

describe('personal settings', { skip: noChromium }, async () => {
  if (noChromium) return
  const site = await openSite({ config: { mailGateway: '%s@mail.example.com' } })
  after(() => site.close())
  const { member, cordelia } = {
    member: await site.logIn('member', { hash: '#settings' }),
    cordelia: await site.logIn('cordelia', { hash: `#user/${site.server.ids.member}` }),
  }
  const { page } = member
  const open = async (section: string, title: string) => {
    await page.evaluate((hash) => location.assign(hash), `#settings/${section}`)
    await page.getByRole('heading', { name: title, exact: true, level: 3 }).waitFor()
  }
  const field = (name: string) => page.locator(`[data-setting="${name}"]`)

  test('have every setting that the server declares on the page that its label names', async () => {
    for (const { id, area, title } of sections) {
      if (area !== 'personal') continue
      await open(id, title)
      for (const [name, offer] of Object.entries(userSettingOffers)) {
        if ('notOffered' in offer || offer.section !== id) continue
        await field(name).waitFor()
      }
    }
    const known = new Set(sections.map(({ id }) => id))
    for (const [name, offer] of Object.entries(userSettingOffers)) {
      assert.ok('notOffered' in offer || known.has(offer.section), name)
    }
  })

  test('list the email addresses of channels, and revoke one', async () => {
    const member = site.server.as('member')
    const path = `/streams/${site.server.channels.public}/email_address`
    const address = () => member.get<{ email: string }>(path, { sender_id: member.id })
    const { email } = await address()
    await member.get(path)
    await open('account-and-privacy', 'Account & privacy')
    const group = page.locator('.setting-group', { hasText: 'Email addresses of channels' })
    await group.getByRole('listitem').nth(1).waitFor()
    assert.deepEqual(
      (await group.getByRole('listitem').allInnerTexts())
        .map((text) => text.split(', made')[0])
        .sort(),
      ['#Denmark\nPosts as Email Gateway', '#Denmark\nPosts as you'],
    )
    await group
      .getByRole('listitem')
      .filter({ hasText: 'Posts as you' })
      .getByRole('button', { name: 'Revoke the address of #Denmark' })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
    await group.getByText('Posts as you').waitFor({ state: 'detached' })
    assert.notEqual((await address()).email, email)
  })

  test('change name, picture and fields, which others see', async () => {
    await open('profile', 'Profile')
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    await name.fill('Prince Hamlet')
    await name.press('Enter')
    await cordelia.page.getByRole('heading', { name: 'Prince Hamlet' }).waitFor()

    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choose a picture' }).click()
    const buffer = pngPicture(400, 200)
    await (await chooser).setFiles({ name: 'me.png', mimeType: 'image/png', buffer })
    const cropping = page.getByRole('dialog', { name: 'Crop the picture' })
    await cropping.getByRole('slider', { name: 'Zoom' }).fill('2')
    await cropping.getByRole('button', { name: 'Use this part' }).click()
    await field('avatar').getByRole('button', { name: 'Remove' }).waitFor()
    const { avatar_url } = await site.server.as('member').get<{ avatar_url: string }>('/users/me')
    assert.match(avatar_url, /user_avatars/)
    await field('avatar').getByRole('button', { name: 'Remove' }).click()
    await field('avatar').getByRole('button', { name: 'Remove' }).waitFor({ state: 'detached' })

    await page.getByRole('combobox', { name: 'Favorite editor' }).selectOption({ label: 'Emacs' })
    await cordelia.page.getByText('Emacs').waitFor()
  })

  test('show a refusal beside the field and keep what was typed', async () => {
    member.expectProblems(/status of 400/)
    await open('account-and-privacy', 'Account & privacy')
    await page.getByRole('button', { name: 'Change password' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change password' })
    await dialog.getByLabel('Old password').fill('not the old one')
    await dialog.getByLabel('New password').fill('abc')
    await dialog.getByText('Easy to guess').waitFor()
    await dialog.getByLabel('New password').fill('x9$Kq2mW!tR7')
    await dialog.getByText('Strong').waitFor()
    await dialog.getByRole('button', { name: 'Change password' }).click()
    await dialog.getByRole('alert').filter({ hasText: 'Wrong password!' }).waitFor()
    assert.equal(await dialog.getByLabel('New password').inputValue(), 'x9$Kq2mW!tR7')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  test('end the session of another browser', async () => {
    const other = await site.logIn('member')
    other.expectProblems(/status of 401/)
    await open('alert-words', 'Alert words')
    await open('account-and-privacy', 'Account & privacy')
    await page.getByRole('button', { name: 'Log out', exact: true }).first().click()
    await other.page
      .getByRole('heading', { name: 'Log in' })
      .or(other.page.locator('form'))
      .first()
      .waitFor()
    await page.getByText('This browser').waitFor()
  })

  test('add and remove alert words and mute people, as another window sees', async () => {
    const window = await page.context().newPage()
    await window.goto('/#settings/alert-words')
    await open('alert-words', 'Alert words')
    await page.getByRole('textbox', { name: 'New alert word' }).fill('lunch')
    await page.getByRole('button', { name: 'Add' }).click()
    await window.getByRole('button', { name: 'Remove lunch' }).click()
    await page.getByText('You have no alert words.').waitFor()

    await site.server.as('member').post(`/users/me/muted_users/${site.server.ids.cordelia}`)
    await open('muted-users', 'Muted people')
    await page.getByRole('button', { name: /^Unmute Cordelia/ }).click()
    await page.getByText('You have not muted anyone.').waitFor()
    await window.close()
  })

  test('change what one wants of a topic', async () => {
    const topic = { stream_id: 3, topic: 'Plans for May', visibility_policy: 3 }
    await site.server.as('member').post('/user_topics', topic)
    await open('topics', 'Topics')
    const policy = page.getByRole('combobox', { name: 'Policy of Plans for May' })
    assert.equal(await policy.inputValue(), '3')
    await policy.selectOption({ label: 'Same as the channel' })
    await page
      .getByText('You have not followed, muted or unmuted any topics.', { exact: false })
      .waitFor()
  })

  test('make, change and deactivate a bot', async () => {
    await open('your-bots', 'Your bots')
    await page.getByRole('button', { name: 'New bot' }).click()
    const dialog = page.getByRole('dialog', { name: 'New bot' })
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Weather')
    await dialog.getByRole('combobox', { name: 'Kind' }).selectOption({ label: 'Outgoing webhook' })
    const short = dialog.getByRole('textbox', { name: 'Short name, used in its email address' })
    assert.equal(await short.inputValue(), 'weather')
    await short.fill('meteo')
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Weather Bot')
    assert.equal(await short.inputValue(), 'meteo')
    await dialog.getByText('meteo-bot@').waitFor()
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Weather')
    await dialog.getByRole('textbox', { name: 'Endpoint URL' }).fill('https://weather.example/hook')
    await dialog.getByRole('button', { name: 'Create bot' }).click()
    await page.getByRole('button', { name: 'Edit Weather' }).click()
    const editing = page.getByRole('dialog', { name: 'Weather' })
    const apiKey = editing.locator('.field', { hasText: 'API key' }).locator('.secret')
    const key = await apiKey.textContent()
    await editing.getByRole('button', { name: 'Generate new key' }).click()
    const asking = page.getByRole('dialog', { name: 'Generate a new key?' })
    await asking.getByRole('button', { name: 'Generate new key' }).click()
    await apiKey.filter({ hasNotText: key ?? '' }).waitFor()
    await editing.getByRole('textbox', { name: 'Name', exact: true }).fill('Forecast')
    await editing.getByRole('button', { name: 'Save' }).click()
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download the zuliprc of Forecast' }).click()
    assert.equal((await saving).suggestedFilename(), 'zuliprc')
    await page.getByRole('button', { name: 'Deactivate Forecast' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate', exact: true }).click()
    await page.getByText('You have no bots.').waitFor()
  })

  test('set two-factor authentication up with a code, and show recovery codes once', async () => {
    await open('account-and-privacy', 'Account & privacy')
    await page.getByRole('button', { name: 'Set up' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Your password').fill('hamlet-password')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByRole('img', { name: 'QR code' }).waitFor()
    const secret = (await dialog.locator('.secret').textContent()) ?? ''
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
    await dialog.getByLabel('Code from the app').fill(code)
    await dialog.getByRole('button', { name: 'Switch on' }).click()
    await page.getByRole('dialog', { name: 'Keep these recovery codes' }).waitFor()
    const codes = (await page.locator('.secret').textContent())?.split('\n') ?? []
    assert.equal(codes.length, 10)
    await page.getByRole('button', { name: 'I have saved them' }).click()
    await page.getByText('10 recovery codes are left').waitFor()
    await page.getByRole('button', { name: 'Switch off' }).click()
    const asking = page.getByRole('dialog', { name: 'Turn off two-factor authentication?' })
    await asking.getByLabel('Your password').fill('hamlet-password')
    await asking.getByRole('button', { name: 'Switch off' }).click()
    await page.getByText('Off: your password is enough').waitFor()
  })

  test('list uploaded files, and delete one after a question', async () => {
    const { email, apiKey } = site.server.as('member')
    const body = new FormData()
    body.set('file', new File(['hello'], 'notes.txt'))
    const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`
    await open('uploaded-files', 'Uploaded files')
    await page.getByText('You have uploaded no files.').waitFor()
    const url = `${site.server.url}/api/v1/user_uploads`
    await fetch(url, { method: 'POST', headers: { authorization }, body })
    await page.getByRole('link', { name: 'notes.txt' }).waitFor()
    await page.getByText('Your files use 5 bytes.').waitFor()
    await page.getByRole('button', { name: 'Delete notes.txt' }).click()
    await page.getByRole('button', { name: 'Delete file', exact: true }).click()
    await page.getByText('You have uploaded no files.').waitFor()
  })
})
