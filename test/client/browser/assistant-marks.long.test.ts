import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Client } from '@modelcontextprotocol/client'
import { connect } from '#test/features/integrations/assistants/connect.ts'
import { openSite, type Person, type Site } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'

describe('messages of assistants', { skip: noChromium }, () => {
  let site: Site
  let hamlet: Person
  let assistant: Client
  before(async () => {
    site = await openSite()
    hamlet = await site.logIn('member', { hash: '#narrow/channel/4-Denmark/topic/marks' })
    assistant = await connect(site.server, site.server.as('admin'), { name: 'Test Assistant' })
  })
  after(async () => {
    await assistant.close()
    await site.close()
  })

  test('have a mark that says which one wrote them, and keep it when they are edited', async () => {
    const { page } = hamlet
    const place = { channel: 'Denmark', topic: 'marks' }
    const written = await assistant.callTool({
      name: 'send_message',
      arguments: { ...place, content: 'Written by a program.' },
    })
    const { message_id: id } = written.structuredContent as { message_id: number }
    const message = page.locator(`[data-message-id="${id}"]`)
    const mark = message.getByRole('note')
    await mark.waitFor()
    assert.equal(await mark.getAttribute('aria-label'), 'via Test Assistant')
    const shown = await mark.evaluate((element) => getComputedStyle(element, '::before').content)
    assert.equal(shown, '" (via Test Assistant) "')
    const edit = { message_id: id, content: 'Edited by a program.' }
    await assistant.callTool({ name: 'edit_message', arguments: edit })
    await message.getByText('Edited by a program.').waitFor()
    await message.getByRole('button', { name: 'edited' }).waitFor()
    assert.equal(await message.getByRole('note').count(), 1)
  })

  test('of people have none', async () => {
    const id = await site.server.say('admin', 'public', 'marks', 'Written by hand.')
    const message = hamlet.page.locator(`[data-message-id="${id}"]`)
    await message.getByText('Written by hand.').waitFor()
    assert.equal(await message.getByRole('note').count(), 0)
    assert.deepEqual(hamlet.problems, [])
  })
})
