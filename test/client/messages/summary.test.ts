import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { summaryOf } from '#client/messages/summary.ts'
import type { Message } from '#client/state/model.ts'
import { upload } from '#test/support/files.ts'
import { pngPicture } from '#test/support/pictures.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const links = new Map<string, string>()
before(async () => {
  for (const name of ['a.png', 'b.png']) {
    links.set(name, await upload(server, 'member', name, new Uint8Array(pngPicture(4, 4))))
  }
  for (const name of ['report.pdf', 'a<b>&.txt']) {
    links.set(name, await upload(server, 'member', name))
  }
})
const link = (name: string) => `[${name}](${links.get(name)})`

const table: [what: string, content: () => string, summary: string][] = [
  ['a text', () => 'Hello **you**\n\nand all', 'Hello you and all'],
  ['a poll', () => '/poll Where do we eat?\nPizza\nNoodles', 'Poll: Where do we eat?'],
  ['a titled to-do list', () => '/todo Move\nBoxes: many', 'To-do list: Move'],
  ['a picture', () => link('a.png'), 'One picture'],
  ['pictures', () => `${link('a.png')}\n${link('b.png')}`, '2 pictures'],
  ['a picture twice', () => `${link('a.png')} ${link('a.png')}`, 'One picture'],
  ['a file', () => link('report.pdf'), 'report.pdf'],
  ['a file with a hostile name', () => link('a<b>&.txt'), 'a<b>&.txt'],
  ['files', () => `${link('report.pdf')} ${link('a<b>&.txt')}`, '2 files'],
  ['both', () => `${link('a.png')} ${link('report.pdf')}`, 'One picture and report.pdf'],
  ['a text with a picture', () => `Look: ${link('a.png')}`, 'Look: a.png'],
]

for (const [what, content, summary] of table) {
  test(`${what} in one line says ${JSON.stringify(summary)}`, async () => {
    const id = await server.say('member', 'public', 'summaries', content())
    const { message } = await server.as('member').get<{
      message: { content: string; sender_id: number; submessages: Submessage[] }
    }>(`/messages/${id}`)
    const submessages = message.submessages.map((each) => ({ ...each, senderId: each.sender_id }))
    const shown = { html: message.content, submessages, senderId: message.sender_id }
    assert.equal(summaryOf(shown as unknown as Message), summary)
  })
}

interface Submessage {
  id: number
  sender_id: number
  content: string
}
