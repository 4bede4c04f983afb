import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { systemClock } from '#platform/clock.ts'
import { hasPython } from '#test/support/examples/processes.ts'
import { startServer } from '#test/support/server.ts'

const root = new URL('../../../', import.meta.url)
const readme = readFileSync(new URL('README.md', root), 'utf8')
const section = readme.slice(readme.indexOf('### A bot\n'), readme.indexOf('## Where to go on'))
const program = (language: string) =>
  new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(section)?.[1] ?? ''

const folder = mkdtempSync(join(tmpdir(), 'parley-bots-'))
symlinkSync(fileURLToPath(new URL('node_modules', root)), join(folder, 'node_modules'))
const server = await startServer({ clock: systemClock })
const running: ChildProcess[] = []
after(async () => {
  for (const each of running) each.kill()
  await server.close()
  rmSync(folder, { recursive: true })
})

interface Said {
  readonly sender_id: number
  readonly content: string
}

describe('the bots in the README', () => {
  for (const [language, command, file] of [
    ['js', process.execPath, 'bot.mjs'],
    ['python', 'python3', 'bot.py'],
  ] as const) {
    const skip = language === 'python' && !hasPython()
    test(`${file} answers who mentions it or writes to it`, { skip }, async () => {
      const name = `Helper ${language}`
      const bot = await server.as('member').post<{ user_id: number; api_key: string }>('/bots', {
        full_name: name,
        short_name: `helper-${language}`,
        bot_type: 1,
      })
      const { user } = await server
        .as('member')
        .get<{ user: { email: string } }>(`/users/${bot.user_id}`)
      writeFileSync(join(folder, file), program(language))
      const env = { ...process.env, SITE: server.url, BOT_EMAIL: user.email, BOT_KEY: bot.api_key }
      running.push(
        spawn(command, [join(folder, file)], { env, stdio: ['ignore', 'ignore', 'inherit'] }),
      )

      const answered = async (narrow: unknown[], say: () => Promise<unknown>) => {
        // It registers at its own pace, and what was said before that it does not hear.
        for (let tries = 0; tries < 40; tries++) {
          await say()
          await pause(250)
          const page = {
            narrow,
            anchor: 'newest',
            num_before: 50,
            num_after: 0,
            apply_markdown: false,
          }
          const { messages } = await server
            .as('member')
            .get<{ messages: Said[] }>('/messages', page)
          const own = messages.filter(({ sender_id }) => sender_id === bot.user_id)
          if (own.length > 0) return own[0]?.content
        }
        return undefined
      }
      const member = server.as('member')
      const inDirect = await answered([['dm', [bot.user_id]]], () =>
        member.post('/messages', { type: 'direct', to: [bot.user_id], content: 'Are you there?' }),
      )
      assert.equal(inDirect, 'At your service.')
      const topic = `for ${language}`
      const inChannel = await answered(
        [
          ['channel', 'Denmark'],
          ['topic', topic],
        ],
        () =>
          member.post('/messages', {
            type: 'channel',
            to: 'Denmark',
            topic,
            content: `@**${name}** hello`,
          }),
      )
      assert.equal(inChannel, 'At your service.')
    })
  }
})
