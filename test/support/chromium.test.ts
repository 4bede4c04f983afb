import assert from 'node:assert/strict'
import { existsSync, rmSync } from 'node:fs'
import { test } from 'node:test'
import {
  closeChromium,
  leavePage,
  newPage,
  noChromium,
  openChromium,
  openPage,
} from './chromium.ts'

import { diagnose } from './diagnosis.ts'
import { startServer } from './server.ts'

test('a story that fails tells what its pages waited for, and where their pictures are', {
  skip: noChromium,
}, async () => {
  const browser = await openChromium()
  const page = await newPage(browser, {}, 'hamlet')
  const second = await page.context().newPage()
  await second.goto('data:text/html,<p>Something</p>')
  const ended = Promise.allSettled([
    page.waitForSelector('#never'),
    page.waitForFunction(() => document.title === 'never'),
    page.waitForResponse(/never/),
    page.evaluate(() => new Promise(() => {})),
  ])
  const lines = await diagnose()
  await page.context().close()
  await ended
  await closeChromium(browser)

  const waited = lines.filter((line) => line.startsWith('It waited for:'))
  assert.deepEqual(
    waited.map(
      (line) => /^It waited for: (.*)\n.*support\/chromium\.test\.[jt]s:\d+/.exec(line)?.[1],
    ),
    [
      'page.waitForSelector #never',
      'page.waitForFunction',
      'page.waitForResponse',
      'page.evaluate',
    ],
  )
  const pictures = lines.filter((line) => line.startsWith('Picture of'))
  const paths = pictures.map((line) => line.split(': ').at(-1) ?? '')
  assert.deepEqual(
    pictures.map((line) => /^Picture of (.*): /.exec(line)?.[1]),
    ['hamlet at about:blank', 'hamlet at data:text/html,<p>Something</p>'],
  )
  assert.ok(paths.every((path) => existsSync(path)))
  for (const path of paths) rmSync(path)
})

test('a page is left to the next story, unless a story has added a script to it', {
  skip: noChromium,
}, async () => {
  const server = await startServer()
  const context = { baseURL: server.url, locale: 'en-GB' }
  const browser = await openChromium()
  const page = await openPage(browser, context, 'hamlet')
  await leavePage(page, context, server.url)
  assert.equal(await openPage(browser, context, 'othello'), page)
  await page.addInitScript(() => localStorage.clear())
  await leavePage(page, context, server.url)
  const next = await openPage(browser, context, 'othello')
  assert.notEqual(next, page)
  await next.context().close()
  await closeChromium(browser)
  await server.close()
})
