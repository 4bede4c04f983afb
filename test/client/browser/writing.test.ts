import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { addToMessage, openAddMenu } from '#test/support/add-menu.ts'
import { clientDrawn, openSite, type Person, type Site } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { composed, composes } from '#test/support/composed.ts'

const box = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
const rowWith = (page: Page, text: string) =>
  page.locator('[data-message-id]').filter({ hasText: text })

/** Writes a message into the box of a conversation and sends it. */
async function write(page: Page, text: string): Promise<void> {
  await box(page).fill(text)
  await box(page).press('Control+Enter')
}

/** Chooses from the menu of a message. */
async function choose(page: Page, text: string, item: string): Promise<void> {
  await rowWith(page, text).hover()
  await rowWith(page, text).getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

describe('writing', { skip: noChromium }, () => {
  let site: Site
  let hamlet: Person
  let othello: Person
  const open = async ({ page }: Person, hash: string) => {
    await page.goto(`/${hash}`)
    await clientDrawn(page)
  }
  const topic = (name: string) => `#narrow/channel/4-Denmark/topic/${name}`

  before(async () => {
    site = await openSite()
    await site.server.say('othello', 'shared', 'alarum', 'Read before the page was opened.')
    await site.server.as('member').post('/mark_all_as_read')
    ;[hamlet, othello] = await Promise.all([
      site.logIn('member', { hash: topic('talk') }),
      site.logIn('othello', { hash: topic('talk') }),
    ])
  })
  after(() => site.close())

  test('two people talk: send, see the other type, react, edit, delete', async () => {
    await write(hamlet.page, 'To be, or **not** to be?')
    await rowWith(othello.page, 'To be, or not to be?').waitFor()
    await box(othello.page).pressSequentially('Hm')
    await hamlet.page.getByText(/Othello.* is typing/).waitFor()

    await write(othello.page, 'That is a question.')
    await rowWith(hamlet.page, 'That is a question.').hover()
    await rowWith(hamlet.page, 'That is a question.')
      .getByRole('button', { name: 'Add reaction' })
      .first()
      .click()
    await hamlet.page.getByRole('searchbox', { name: 'Find an emoji' }).fill('octopus')
    await hamlet.page.getByRole('option', { name: 'octopus' }).waitFor()
    await hamlet.page.keyboard.press('Enter')
    await rowWith(othello.page, 'That is a question.')
      .getByRole('button', { name: /octopus/ })
      .waitFor()

    await rowWith(hamlet.page, 'To be').hover()
    await rowWith(hamlet.page, 'To be').getByRole('button', { name: 'Edit', exact: true }).click()
    await hamlet.page.getByRole('textbox', { name: 'Edit message' }).fill('Whether ’tis nobler')
    await hamlet.page.getByRole('button', { name: 'Save' }).click()
    await rowWith(othello.page, 'Whether ’tis nobler').waitFor()

    await choose(hamlet.page, 'Whether', 'Delete message')
    await hamlet.page.getByRole('button', { name: 'Delete', exact: true }).click()
    await rowWith(othello.page, 'Whether ’tis nobler').waitFor({ state: 'detached' })
  })

  test('where the recipient is missing, sending says so and leads to its field', async () => {
    const { page, leave } = await site.logIn('zoe', { hash: '#inbox' })
    for (const [button, label, problem] of [
      ['New conversation', 'Channel', 'Choose a channel.'],
      ['New direct message', 'To', 'Choose who to write to.'],
    ] as const) {
      await page.getByRole('button', { name: button }).first().click()
      await write(page, 'To whom?')
      await page.getByText(problem).waitFor()
      await page.getByRole('combobox', { name: label }).and(page.locator(':focus')).waitFor()
      assert.equal(await box(page).inputValue(), 'To whom?')
      await box(page).fill('')
      await page.getByRole('button', { name: 'Close' }).last().click()
    }
    await leave()
  })

  test('a poll does not replace what is written, and its options have their buttons beside them', async () => {
    const { page, leave } = await site.logIn('zoe', { hash: topic('polls') })
    await box(page).fill('Half a thought')
    const poll = await openAddMenu(page, 'Poll')
    await poll.getByText('Send or clear your message first.').waitFor()
    assert.equal(await poll.getAttribute('aria-disabled'), 'true')
    await page.keyboard.press('Escape')
    assert.equal(await box(page).inputValue(), 'Half a thought')
    await box(page).fill('')
    await addToMessage(page, 'Poll')
    const dialog = page.getByRole('dialog', { name: 'New poll' })
    const option = await dialog.getByRole('textbox', { name: 'Option 1' }).boundingBox()
    const remove = await dialog.getByRole('button', { name: 'Remove' }).first().boundingBox()
    assert.ok(option && remove && remove.x >= option.x + option.width)
    assert.ok(Math.abs(option.y + option.height / 2 - remove.y - remove.height / 2) < 2)

    await dialog.getByRole('textbox', { name: 'Question' }).fill('Where?')
    await dialog.getByRole('textbox', { name: 'Option 1' }).fill('Here')
    await dialog.getByRole('button', { name: 'Add to message' }).click()
    await page.locator('.quote-card').getByText('Poll: Where?').waitFor()
    assert.equal(await box(page).isVisible(), false)
    await page.getByRole('button', { name: 'Edit the poll' }).click()
    assert.equal(await dialog.getByRole('textbox', { name: 'Option 1' }).inputValue(), 'Here')
    await dialog.getByRole('textbox', { name: 'Option 1' }).fill('There')
    await dialog.getByRole('button', { name: 'Add to message' }).click()
    await page.locator('.quote-card').getByText('There').waitFor()
    assert.equal(await composed(page), '/poll Where?\nThere\n')
    await page.evaluate(() => location.assign('#inbox'))
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Remove the poll' }).click()
    await box(page).fill('/poll Typed\none')
    assert.equal(await box(page).isVisible(), true, 'what is typed stays source')
    await box(page).fill('')
    await leave()
  })

  test('everything can be done by keys alone', async () => {
    const { page } = hamlet
    await site.server.say('othello', 'public', 'keys', 'Press something.')
    await open(hamlet, '#inbox')
    await page.keyboard.press('c')
    await page.getByRole('combobox', { name: 'Channel' }).waitFor()
    await page.keyboard.type('denm')
    await page.getByRole('option', { name: /Denmark/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.activeElement?.closest('.topic-field'))
    await page.keyboard.type('key')
    await page.getByRole('option', { name: 'keys' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Hi @oth')
    await page.getByRole('option', { name: /Othello/ }).waitFor()
    await page.keyboard.press('Enter')
    assert.equal(await box(page).inputValue(), 'Hi @**Othello, the Moor of Venice** ')
    // It is drawn as it will be read, until the caret is in it.
    const token = page.locator('.tokens .token', { hasText: '@Othello, the Moor of Venice' })
    await token.waitFor()
    for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowLeft')
    await token.waitFor({ state: 'hidden' })
    await page.keyboard.press('End')
    await token.waitFor()
    await page.keyboard.press('Alt+p')
    await page.locator('.preview .user-mention').waitFor()
    await page.keyboard.press('Escape')
    // Back in the text, not in another view.
    await page.waitForFunction(() => document.activeElement?.matches('.editor-text'))
    await page.keyboard.press('Control+Enter')
    await rowWith(page, 'Hi @Othello').waitFor()
    assert.match(page.url(), /topic\/keys$/)

    await page.keyboard.press('Escape')
    await page.keyboard.press('k')
    await page.keyboard.press('+')
    await page.locator('[data-message-id] .reaction').first().waitFor()
    await page.keyboard.press('>')
    await composes(page, /```quote/)
    const edit = page.getByRole('button', { name: /^Edit the quote of / })
    await edit.click()
    await page.getByRole('textbox', { name: /^Quote of / }).press('End')
    await page.keyboard.type(' and more')
    await composes(page, / and more\n```\n$/)
    await edit.click()
    await box(page).focus()
    await page.keyboard.press('Shift+Tab')
    assert.match(
      (await page.locator(':focus').getAttribute('aria-label')) ?? '',
      /^Remove the quote of /,
    )
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.activeElement?.matches('.editor-text'))
    await page.keyboard.press('ArrowLeft')
    await page.getByRole('textbox', { name: 'Edit message' }).waitFor()
    await page.waitForFunction(() => document.activeElement?.closest('.edit-box'))
    await page.keyboard.press('Alt+p')
    await page.locator('.edit-box .preview .user-mention').waitFor()
    await page.keyboard.press('Alt+p')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('- one')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('two')
    assert.match(
      await page.getByRole('textbox', { name: 'Edit message' }).inputValue(),
      /- one\n- two$/,
    )
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /^Jump/ }).waitFor()
    await page.keyboard.type('verona')
    await page
      .getByRole('option', { name: /Verona/ })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/channel\/3/)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /^Jump/ }).waitFor()
    await page.keyboard.type('alarm')
    await page.getByRole('option', { name: /^alarum/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/topic\/alarum/)
    await rowWith(page, 'Read before the page was opened.').waitFor()
    // Where one was before comes first; commands and settings are found by their names.
    await page.keyboard.press('Control+k')
    await page.getByRole('option').first().waitFor()
    const first = (await page.getByRole('option').allTextContents()).slice(0, 3)
    assert.ok(
      first.some((text) => text.startsWith('Verona')),
      first.join(),
    )
    await page.keyboard.type('dark theme')
    await page.getByRole('option', { name: 'Dark theme', exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('html[data-theme="dark"]').waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('high contrast')
    await page.getByRole('option', { name: /^High contrast/ }).click()
    await page.waitForURL(/#settings\/preferences/)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('welcome bot')
    await page.getByRole('option', { name: /^Search messages/ }).waitFor()
    assert.equal(await page.getByRole('option', { name: /^Welcome Bot/ }).count(), 0)
    await page.keyboard.press('Escape')
    await page.locator('main').focus()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
  })

  test('a conversation of several people has a menu, where it is listed and where it is shown', async () => {
    const { page } = hamlet
    const { ids } = site.server
    await site.server.say('othello', ['member', 'cordelia'], '', 'The three of us.')
    const name = /Cordelia, Lear's daughter, Othello/
    const sideBar = page.getByRole('navigation', { name: 'Views and channels' })
    await sideBar.getByRole('link', { name }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Mark all as read' }).click()
    await page.getByText('Marked one message as read.').waitFor()
    await sideBar.getByRole('link', { name }).click()
    await page.getByRole('button', { name: 'Menu of the conversation' }).click()
    await page.getByRole('menuitem', { name: 'Cordelia' }).click()
    await page.waitForURL(new RegExp(`#user/${ids.cordelia}$`))
    await page.keyboard.press('Escape')
  })

  test('another conversation is ready to be answered at once, without fields for its name between', async () => {
    const { page } = hamlet
    await open(hamlet, topic('talk'))
    await box(page).waitFor()
    const added = await page.evaluateHandle(() => {
      const found: string[] = []
      const observer = new MutationObserver((changes) => {
        for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
          if (node instanceof Element && node.closest('.compose')) found.push(node.className)
        }
      })
      observer.observe(document.body, { childList: true, subtree: true })
      return found
    })
    await page.evaluate((hash) => {
      location.hash = hash
    }, topic('alarum'))
    await page.getByPlaceholder('alarum').waitFor()
    assert.deepEqual(await added.jsonValue(), [])
  })

  test('a draft is in the other browser of the same user, and gone there once it is sent', async () => {
    const other = await site.logIn('member', { hash: topic('drafts') })
    await open(hamlet, topic('drafts'))
    await box(hamlet.page).fill('Begun here')
    await other.page.waitForFunction(
      () => document.querySelector<HTMLTextAreaElement>('.editor-text')?.value === 'Begun here',
    )
    await box(other.page).pressSequentially(', ended there')
    await box(other.page).press('Control+Enter')
    await rowWith(hamlet.page, 'Begun here, ended there').waitFor()
    await hamlet.page.waitForFunction(
      () => document.querySelector<HTMLTextAreaElement>('.editor-text')?.value === '',
    )
    await other.leave()
  })

  test('what is written offline or while the server restarts is sent afterwards, once', async () => {
    const { page } = hamlet
    await open(hamlet, topic('lost'))
    await box(page).fill('Half a sent')
    await page.context().setOffline(true)
    await box(page).pressSequentially('ence')
    await box(page).press('Control+Enter')
    await page.getByText('Half a sentence').waitFor()
    await page.context().setOffline(false)
    await rowWith(othello.page, 'Half a sentence').waitFor({ state: 'detached' })
    await open(othello, topic('lost'))
    await rowWith(othello.page, 'Half a sentence').waitFor()

    await box(page).pressSequentially('Another ')
    await site.restart()
    await box(page).pressSequentially('one')
    await box(page).press('Control+Enter')
    await rowWith(othello.page, 'Another one').waitFor()
    assert.equal(await rowWith(othello.page, 'Half a sentence').count(), 1)
    assert.equal(await rowWith(othello.page, 'Another one').count(), 1)
    // The event queues may be gone after a restart: then the clients register again.
    for (const person of [hamlet, othello]) person.expectProblems(/400 \(Bad Request\)/)
  })

  test('a text that was begun outlasts a reload, also in the form of a dialog', async () => {
    const { page } = hamlet
    await open(hamlet, topic('reloaded'))
    await box(page).fill('Not sent yet')
    await open(hamlet, '#organization/emoji-settings')
    const add = page.getByRole('button', { name: 'Add an emoji' })
    const name = page.getByRole('dialog', { name: 'Add an emoji' }).getByLabel('Name')
    await add.click()
    await name.fill('half_typed')
    await page.reload()
    await add.click()
    assert.equal(await name.inputValue(), 'half_typed')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await add.click()
    assert.equal(await name.inputValue(), '', 'who cancels wants it no more')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await open(hamlet, topic('reloaded'))
    assert.equal(await box(page).inputValue(), 'Not sent yet')
    await box(page).fill('')
  })

  test('hostile names and messages run nothing and load nothing from elsewhere', async () => {
    const evil = '"><img src=https://evil.test/x onerror=alert(1)>'
    const { server } = site
    const owner = server.as('owner')
    await owner.post('/users', {
      email: 'evil@example.com',
      full_name: "<script>alert('name')</script>",
      password: 'a password of evil',
    })
    await server.as('zoe').post('/users/me/status', { status_text: evil, emoji_name: 'octopus' })
    const name = evil.slice(0, 40)
    await owner.post('/channels/create', {
      name,
      description: evil,
      subscribers: [server.ids.owner, server.ids.member, server.ids.othello],
    })
    const say = (content: string) =>
      owner.post('/messages', { type: 'channel', to: 'Denmark', topic: evil, content })
    await say(`${evil} <script>alert(2)</script> [x](javascript:alert(3))`)
    await say(
      '@**|10** `<img src=x>` $$\\href{javascript:alert(4)}{x}$$ <time:"><svg onload=alert(5)>>',
    )
    await say('/poll <b onclick=alert(6)>q</b>\n<img src=x onerror=alert(7)>')
    await say('```spoiler <img src=x onerror=alert(8)>\n<iframe src="//evil.test">\n```')

    const { page } = hamlet
    const elsewhere: string[] = []
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (url.origin !== server.url && /^https?:/.test(url.protocol)) elsewhere.push(url.href)
    })
    page.on('dialog', (dialog) => elsewhere.push(dialog.message()))
    await open(hamlet, '#feed')
    await page.getByText('onclick=alert(6)').first().waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /^Jump/ }).waitFor()
    await page.keyboard.type('<script')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Escape')
    await open(hamlet, '#recent')
    await page.getByText('"><img').first().waitFor()
    await open(hamlet, '#inbox')
    await open(hamlet, '#channels/all')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    assert.deepEqual(elsewhere, [])
    assert.equal(await page.locator('#app script').count(), 0)
  })
})
