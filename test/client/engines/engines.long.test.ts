import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { systemClock } from '#platform/clock.ts'
import {
  box,
  type EngineWindow,
  keys,
  openWindow,
  rowOf,
  send,
  topicPath,
} from '#test/support/engine-window.ts'
import { eventually } from '#test/support/eventually.ts'
import { freePort } from '#test/support/free-port.ts'
import { startServer, type TestServer } from '#test/support/server.ts'
import { engines } from '#test/support/webdriver.ts'

/** What people do most, in the engines that the other stories do not run in. */
describe('the client', { skip: engines.every(({ missing }) => missing) && 'no engine' }, () => {
  const data = mkdtempSync(join(tmpdir(), 'parley-engines-'))
  let server: TestServer
  let start: () => Promise<TestServer>
  const history: number[] = []
  before(async () => {
    const port = await freePort()
    start = () => startServer({ clock: systemClock, data, port })
    server = await start()
    for (let i = 0; i < 2000; i += 50) {
      const some = Array.from({ length: 50 }, (_, each) => {
        const text = `Message ${i + each}. ${'words '.repeat((i + each) % 60)}`
        return server.say('othello', 'public', 'history', text)
      })
      history.push(...(await Promise.all(some)))
    }
    history.sort((a, b) => a - b)
  })
  after(async () => {
    await server.close()
    rmSync(data, { recursive: true })
  })

  for (const engine of engines) {
    describe(`in ${engine.name}`, { skip: engine.missing }, () => {
      let window: EngineWindow
      before(async () => {
        window = await openWindow(engine, server)
      })
      after(() => window?.browser.close())

      test('a message is sent, and the answer to it comes by itself', async () => {
        const { browser, open, shows } = window
        const topic = await open('talk')
        await browser.press(box, `To be, or not?${send}`)
        await shows('To be, or not?')
        await server.say('othello', 'public', topic, 'That is a question.')
        await shows('That is a question.')
      })

      test('the box grows with its text, and is low again once that is sent', async () => {
        const { browser, height, open, see } = window
        await open('lines')
        const low = await height(box)
        for (const text of '123456') {
          await browser.press(box, `${text}${keys.shift}${keys.enter}`)
        }
        await eventually(async () => (await height(box)) > 3 * low, true)
        const hidden =
          '(box => box.scrollHeight - box.clientHeight)(document.querySelector(arguments[0]))'
        await see(hidden, 0, box)
        await browser.press(box, send)
        await eventually(() => height(box), low)
      })

      test('the picker is as high as what is in it, and adds a reaction', async () => {
        const { browser, height, open, see, shows } = window
        const id = await server.say('othello', 'public', `reactions-${engine.name}`, 'React!')
        await open('reactions')
        await shows('React!')
        await browser.press('main', ':')
        const field = '.emoji-picker input'
        await eventually(async () => (await height(field)) > 0, true)
        assert.ok((await height(field)) < 60)
        assert.ok((await height('.emoji-picker')) < 600)
        await browser.press(field, 'octopus')
        const first = `document.querySelector('.emoji-picker [role=option]')`
        await see(`${first}?.getAttribute('aria-label') ?? ${first}?.title`, 'octopus')
        await browser.press(field, keys.enter)
        await see(`document.querySelector('${rowOf(id)} .reaction') !== null`, true)
        await eventually(async () => {
          const { message } = await server
            .as('othello')
            .get<{ message: { reactions: { emoji_name: string }[] } }>(`/messages/${id}`)
          return message.reactions.map(({ emoji_name }) => emoji_name)
        }, ['octopus'])
      })

      test('in the middle of 2 000 messages, rows move by what is scrolled', async () => {
        const { browser, shows } = window
        const id = history[1000]
        await browser.run('location.assign(arguments[0])', `${topicPath('history')}/near/${id}`)
        const top = () =>
          browser.run<number>(
            'return document.querySelector(arguments[0])?.getBoundingClientRect().top ?? -1',
            rowOf(id),
          )
        /** Where the row is once it rests. */
        async function rest(): Promise<number> {
          let now = -1
          await eventually(async () => {
            const earlier = now
            now = await top()
            return now >= 0 && earlier === now
          }, true)
          return now
        }
        await shows('Message 1000.')
        const earlier = await rest()
        await browser.run(`document.querySelector('.pane-scroller').scrollBy(0, -1000)`)
        await eventually(async () => Math.abs((await top()) - earlier - 1000) <= 3, true)
        const moved = (await rest()) - earlier
        assert.ok(Math.abs(moved - 1000) <= 3, `${moved} px`)
      })

      test('a draft outlasts a reload, and what is written without a server goes out once', async () => {
        const { browser, open, reload, see, shows } = window
        const topic = await open('alone')
        await browser.press(box, 'Written before')
        await reload()
        await see('document.querySelector(arguments[0])?.value', 'Written before', box)
        await server.close()
        await browser.press(box, ` and after.${send}`)
        await see('document.querySelector(arguments[0]).value', '', box)
        server = await start()
        const asked = {
          narrow: [{ operator: 'topic', operand: topic }],
          anchor: 'newest',
          num_before: 10,
          num_after: 0,
          apply_markdown: false,
        }
        const arrived = async () => {
          const { messages } = await server
            .as('othello')
            .get<{ messages: { content: string }[] }>('/messages', asked)
          return messages.map(({ content }) => content)
        }
        await eventually(arrived, ['Written before and after.'])
        await shows('Written before and after.')
        assert.deepEqual(await arrived(), ['Written before and after.'])
      })

      test('the console has neither errors of scripts nor breaches of policies', async () => {
        const { browser } = window
        assert.deepEqual(await browser.problems(), [])
        // It would have had them.
        await browser.run("setTimeout(() => { throw new Error('One of a test.') })")
        await eventually(async () => (await browser.problems()).length, 1)
      })
    })
  }
})
