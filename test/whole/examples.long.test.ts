import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { parseSearch } from '#client/narrow/search.ts'
import { Table } from '#client/state/table.ts'
import { systemClock } from '#platform/clock.ts'
import { parseSeed } from '#program/fixture/seed-file.ts'
import { commandsIn, runCommands, settingsOf } from '#test/support/examples/commands.ts'
import { documentTexts, takeExample, untaken } from '#test/support/examples/documents.ts'
import { hasPython, openWorkplace } from '#test/support/examples/processes.ts'
import { freePort } from '#test/support/free-port.ts'
import { startServer } from '#test/support/server.ts'
import { parley } from '#test/support/shell.ts'

/*
 * Runs the examples of the README and of the help: each fenced block is taken by a test here, or is in
 * one of these two lists.
 */

/** Blocks that another file runs. */
const elsewhere: Readonly<Record<string, string>> = {
  'README: A bot': 'test/whole/clients/readme-bots.test.ts',
  'README: A bot 2': 'test/whole/clients/readme-bots.test.ts',
  'operators/on-the-internet: Behind a proxy on a port 2': 'test/program/listening/proxies.test.ts',
  'operators/on-the-internet: Behind a proxy on a port 3': 'test/program/listening/proxies.test.ts',
}

/** Blocks that no test runs, and why. */
const unrun: Readonly<Record<string, string>> = {
  'README: Getting started': 'installs packages; .ci/run begins with it',
  'README: Getting started 2': 'builds the executable; test/program/build.long.test.ts starts one',
  'README: Test': 'runs this test',
  'operators/backups: Litestream': 'is for Litestream',
  'operators/backups: Litestream 2': 'needs Litestream and two machines',
  'operators/backups: Litestream 3': 'needs Litestream and two machines',
  'operators/health-and-metrics: Metrics': 'is for Prometheus',
  'operators/mail: Mail that comes in 2': 'is for Postfix',
  'people/assistants: Claude Code': 'needs Claude Code',
  'people/assistants: Codex': 'needs Codex',
  'people/assistants: Connect a program without a browser': 'needs Claude Code',
  'people/assistants: Cursor': 'is for Cursor',
  'people/assistants: Visual Studio Code': 'is for Visual Studio Code',
}

const root = new URL('../../', import.meta.url)
const server = await startServer({ clock: systemClock, fixture: { hideAddresses: false } })
const workplace = openWorkplace()
const data = mkdtempSync(join(tmpdir(), 'parley-examples-'))
after(async () => {
  workplace.close()
  await server.close()
  rmSync(data, { recursive: true })
})

/** The examples name the development server at its usual address. */
const here = (code: string, url = server.url) => code.replaceAll('http://localhost:9991', url)
const python = { skip: !hasPython() && 'no Python here' }

/** Runs the examples of a page in one shell. @returns the replies of each, by the places */
async function inShell(
  file: string,
  codes: readonly string[],
): Promise<Record<string, unknown>[][]> {
  // Replies end without a line feed.
  const script = `set -e\ncurl() { command curl "$@"; echo; }\n${codes.map((code) => `${here(code)}echo '== end'\n`).join('')}`
  const out = await workplace.start('bash', file, script).ended()
  return out
    .split('== end\n')
    .slice(0, -1)
    .map((part) =>
      part
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    )
}

const resultsOf = (replies: readonly Record<string, unknown>[] | undefined) =>
  replies?.map(({ msg, result }) => (result === 'success' ? result : msg))

const eventsOf = (reply: Record<string, unknown> | undefined) =>
  (reply?.events ?? []) as readonly unknown[]

test('every example is run, or is in a list with the reason', () => {
  const known = [...Object.keys(elsewhere), ...Object.keys(unrun)]
  assert.deepEqual(untaken().sort(), known.sort())
  for (const file of Object.values(elsewhere)) assert.ok(existsSync(new URL(file, root)), file)
})

describe('examples with curl', () => {
  const readme = ['README: With curl', 'README: With curl 2'].map(takeExample)
  test('send and get messages, as in the README', async () => {
    const [sent, waited] = await inShell('readme.sh', readme)
    assert.deepEqual(resultsOf(sent), ['success', 'success'])
    assert.deepEqual(resultsOf(waited), ['success', 'success'])
    assert.equal(eventsOf(waited?.[1]).length, 1)
  })

  const events = [
    'bots/events: Register a queue',
    'bots/events: Wait for events',
    'bots/events: When the queue is gone',
    'bots/events: How many queues you can have',
  ].map(takeExample)
  test('get events', async () => {
    const [, waited, missed, deleted] = await inShell('events.sh', events)
    assert.equal(eventsOf(waited?.[1]).length, 1)
    assert.deepEqual(resultsOf(missed), ['success'])
    assert.deepEqual(resultsOf(deleted), ['success'])
  })

  const errors = [
    'bots/errors-and-limits: What an error looks like',
    'bots/errors-and-limits: Test how your program deals with an error',
  ].map(takeExample)
  const shown = takeExample('bots/errors-and-limits: What an error looks like 2')
  test('get an error, which looks as the page says', async () => {
    const [shownReply, provoked] = await inShell('errors.sh', errors)
    assert.deepEqual(shownReply, [JSON.parse(shown)])
    assert.deepEqual(resultsOf(provoked), ['success'])
    // The next request shows it, and no other one after that.
    const failed = await server.as('member').get('/messages', { anchor: 'newest' })
    assert.equal(failed.code, 'RATE_LIMIT_HIT')
  })

  const making = takeExample('bots/first-bot: Make a bot')
  const sending = takeExample('bots/first-bot: Send a message with curl')
  test('make a bot, and send messages as it', async () => {
    const [made] = await inShell('bot.sh', [making])
    const key = String(made?.[0]?.api_key)
    const [sent] = await inShell('bot-sends.sh', [sending.replace('THE-KEY', key)])
    assert.deepEqual(resultsOf(sent), ['success', 'success'])
  })

  const webhooks = [
    'bots/webhooks: Make an incoming webhook',
    'bots/webhooks: Post through an incoming webhook',
  ].map(takeExample)
  const deliveries = takeExample('bots/webhooks: See recent deliveries')
  test('post through incoming webhooks, and look at deliveries', async () => {
    const bot = await server.as('admin').post<{ user_id: number }>('/bots', {
      full_name: 'Hook',
      short_name: 'hook',
      bot_type: 3,
      payload_url: 'https://hook.example.com/',
    })
    assert.equal(bot.msg, '')
    const [, posted, listed] = await inShell('webhooks.sh', [
      ...webhooks,
      deliveries.replace('BOT-ID', String(bot.user_id)),
    ])
    assert.deepEqual(resultsOf(posted), ['success', 'success', 'success'])
    assert.deepEqual(resultsOf(listed), ['success'])
  })

  const faults = takeExample('testers/faults: Make requests fail')
  const clock = takeExample('testers/clock: Move the clock')
  test('provoke faults and move the clock', async () => {
    const own = await startServer()
    try {
      const codes = [faults, clock].map((code) => here(code, own.url))
      const [provoked, moved] = await inShell('controls.sh', codes)
      assert.deepEqual(resultsOf(provoked), ['success'])
      assert.deepEqual(resultsOf(moved), ['success'])
      const failed = await own.as('member').post('/messages', { type: 'channel', to: 'Denmark' })
      assert.equal(failed.code, 'RATE_LIMIT_HIT')
    } finally {
      await own.close()
    }
  })
})

describe('examples in JavaScript', () => {
  const hello = takeExample('README: With the JavaScript client')
  test('the client of the README sends and reads messages', async () => {
    await workplace.start(process.execPath, 'hello.mjs', here(hello)).writes(/: .*Who's there\?/)
  })

  const embedding = takeExample('README: Build')
  test('a program embeds the server', async () => {
    const out = await workplace.start(process.execPath, 'embedding.mjs', embedding).ended()
    assert.match(out, /^http:\/\/\S+\n/m)
  })

  const events = takeExample('bots/events: Get events in JavaScript')
  test('events come without a library', async () => {
    const program = workplace.start(process.execPath, 'events.mjs', here(events))
    const admin = server.as('admin')
    const says = setInterval(
      () => void admin.post('/messages', { type: 'direct', to: [admin.id], content: 'Heard?' }),
      200,
    )
    await program.writes(/Heard\?/).finally(() => clearInterval(says))
  })

  const hook = takeExample('bots/webhooks: Answer an outgoing webhook')
  test('an outgoing webhook is answered if its signature is right', async () => {
    const port = await freePort()
    const env = { SECRET: 's3cret' }
    workplace.start(process.execPath, 'hook.mjs', hook.replace('8080', String(port)), env)
    const body = JSON.stringify({ data: 'Hello.', message: { sender_full_name: 'Ann' } })
    const ask = async (secret: string) => {
      const time = String(Math.floor(Date.now() / 1000))
      const digest = createHmac('sha256', secret).update(`v1:${time}:${body}`).digest('hex')
      const headers = { 'X-Parley-Timestamp': time, 'X-Parley-Signature': `v1=${digest}` }
      const reply = await untilThere(`http://127.0.0.1:${port}`, { method: 'POST', body, headers })
      return [reply.status, await reply.text()]
    }
    assert.deepEqual(await ask('s3cret'), [200, '{"content":"Yes."}'])
    assert.deepEqual(await ask('wrong'), [403, ''])
  })

  for (const [place, original] of [
    ['bots/first-bot: Write the bot in JavaScript', 'js'],
    ['bots/first-bot: Write the bot in Python', 'python'],
  ] as const) {
    const code = takeExample(place)
    test(`the bot in ${original} is that of the README`, () => {
      const readme = documentTexts.get('README') ?? ''
      assert.ok(readme.includes(`\`\`\`${original}\n${code}\`\`\``))
    })
  }

  const running = takeExample('bots/first-bot: Run the bot')
  test('it is started with the variables that it reads', () => {
    const [, ...names] = /^(\w+)=\S+ (\w+)=\S+ (\w+)=\S+ node bot\.mjs\n$/.exec(running) ?? []
    const bot = documentTexts.get('bots/first-bot') ?? ''
    assert.equal(names.length, 3)
    for (const name of names) assert.match(bot, new RegExp(`\\b${name}: `), name)
  })
})

/** Asks a server that is about to listen. */
async function untilThere(url: string, options: RequestInit): Promise<Response> {
  for (let tries = 0; ; tries++) {
    try {
      return await fetch(url, options)
    } catch (error) {
      if (tries > 200) throw error
      await new Promise((done) => setTimeout(done, 50))
    }
  }
}

describe('examples in Python', () => {
  const again = takeExample('bots/errors-and-limits: Try again after a failure')
  test('a request is sent again after a failure', python, async () => {
    let requests = 0
    const failing = createServer((_, response) => {
      requests++
      response.writeHead(requests === 1 ? 429 : 200, { 'Retry-After': '0' })
      response.end('{"result":"success"}')
    })
    const port = await freePort()
    await new Promise<void>((done) => failing.listen(port, '127.0.0.1', done))
    try {
      const call = `${again}\nprint(post("http://127.0.0.1:${port}/", {}, {}))\n`
      const out = await workplace.start('python3', 'again.py', call).ended()
      assert.deepEqual([requests, out], [2, "{'result': 'success'}\n"])
    } finally {
      failing.close()
    }
  })

  const signature = takeExample('bots/webhooks: Check the signature')
  test('a signature is checked', python, async () => {
    const time = Math.floor(Date.now() / 1000)
    const digest = createHmac('sha256', 's3cret').update(`v1:${time}:{}`).digest('hex')
    const headers = { 'X-Parley-Timestamp': String(time), 'X-Parley-Signature': `v1=${digest}` }
    const asked = ['s3cret', 'wrong'].map(
      (secret) => `print(is_signed("${secret}", ${JSON.stringify(headers)}, b"{}"))\n`,
    )
    const out = await workplace.start('python3', 'sign.py', signature + asked.join('')).ended()
    assert.equal(out, 'True\nFalse\n')
  })
})

describe('examples of CI jobs', () => {
  const shell = takeExample('testers/fixture-mode: In a CI job')
  test('pass in a shell', async () => {
    const port = await freePort()
    const code = here(shell, `http://localhost:${port}`).replace(
      'parley dev',
      `parley dev --port ${port}`,
    )
    assert.match(await workplace.start('bash', 'ci.sh', code).ended(), /^passed$/m)
  })

  const node = takeExample('testers/fixture-mode: In a CI job 2')
  test('pass in Node', async () => {
    await workplace.start(process.execPath, 'chat.test.mjs', node).ended()
  })

  const unittest = takeExample('testers/fixture-mode: In a CI job 3')
  test('pass in Python', python, async () => {
    assert.match(await workplace.start('python3', 'chat_test.py', unittest).ended(), /^OK$/m)
  })

  const seed = takeExample('testers/seeds: Seed files')
  test('a seed file is one', async () => {
    const own = await startServer({ fixture: { seed: parseSeed(JSON.parse(seed)) } })
    await own.close()
  })
})

describe('calls of the program', () => {
  const starting = [
    'operators/installing: Start it',
    'operators/on-the-internet: HTTPS of its own',
    'operators/on-the-internet: HTTPS of its own 2',
    'operators/on-the-internet: Behind a proxy on a port',
    'operators/on-the-internet: Behind a proxy, through a Unix socket',
    'operators/mail: Send mail',
    'operators/mail: Mail that comes in',
    'operators/backups: Regular backups',
    'operators/calls-and-gifs: Zoom',
    'operators/calls-and-gifs: Constructor Groups',
    'operators/calls-and-gifs: GIFs',
  ].map((place) => [place, takeExample(place)] as const)
  for (const [place, code] of starting) {
    test(`${place}: the settings are taken`, async () => {
      for (const command of commandsIn(code)) {
        const { code: ended, err, out } = await settingsOf(command)
        assert.deepEqual([ended, err], [0, ''])
        for (const name of Object.keys(command.env)) {
          assert.match(out, new RegExp(`^${name} = .*\\(environment\\)$`, 'm'))
        }
      }
    })
  }

  const init = takeExample('operators/installing: Start it 2')
  const backups = takeExample('operators/backups: Back up and restore')
  const exporting = takeExample('administrators/exporting: Export on the command line')
  const importing = takeExample('administrators/importing: Import on the command line')
  const provider = takeExample('operators/single-sign-on: Log in with OpenID Connect')
  const providers = takeExample('operators/single-sign-on: Log in with OpenID Connect 2')
  const scim = takeExample('operators/single-sign-on: Accounts that a provider manages')
  test('set up, back up, restore, export, import, and add a provider', async () => {
    const at = (name: string) => join(data, name)
    const run = async (code: string, adapt: (args: readonly string[]) => readonly string[]) => {
      for (const { code: ended, err } of await runCommands(code, adapt)) assert.equal(ended, 0, err)
    }
    const within = (args: readonly string[]) => [...args, '--data', at('data')]
    await run(init, within)
    await run(provider, within)
    await run(scim, within)
    await run(backups, (args) => {
      const moved = args.map((arg) =>
        arg.startsWith('/backups') || arg === 'another-folder' ? at(arg.replaceAll('/', '_')) : arg,
      )
      return moved.includes('--data') ? moved : within(moved)
    })
    const archive = ['history.tar.gz', 'export.zip']
    const placed = (args: readonly string[]) =>
      args.map((arg) => (archive.includes(arg) ? at('history.tar.gz') : arg))
    await run(exporting, (args) => {
      rmSync(at('history.tar.gz'), { force: true })
      return within(placed(args))
    })
    await run(importing, (args) => [...placed(args), '--data', at('imported')])
    const env = { PARLEY_OIDC_PROVIDERS: providers, PARLEY_URL: 'https://chat.example.com' }
    const { code, err } = await parley(['config'], '', env)
    assert.deepEqual([code, err], [0, ''])
  })

  const usage = takeExample('operators/commands: Commands')
  test('the list of commands has all of them, with options that they have', async () => {
    const listed = usage
      .split('\n')
      .filter(Boolean)
      .map((line) => line.replace(/ {3,}.*/, ''))
    for (const line of listed) await assertKnown(line)
    const { out } = await parley(['--help'])
    const commands = [...out.matchAll(/^ {2}(\w+)(?: .*)?$/gm)].map(([, name]) => name)
    const named = new Set(listed.map((line) => /^parley \[?(\w+)/.exec(line)?.[1]))
    assert.deepEqual(
      commands.filter((name) => name !== 'help' && !named.has(name)),
      [],
    )
  })

  test('calls in the texts name commands and options that there are', async () => {
    const calls = new Set<string>()
    for (const text of documentTexts.values()) {
      for (const [, call = ''] of text.matchAll(/`(?:[A-Z_]+=\S+ )*(parley(?: [^`]*)?)`/g)) {
        calls.add(call.replaceAll(/\s+/g, ' '))
      }
    }
    assert.ok(calls.size > 20)
    for (const call of calls) await assertKnown(call)
  })

  const begun = ['README: A first session', 'bots/first-bot: Start a server to try it on'].map(
    takeExample,
  )
  test('scripts of npm are in package.json', () => {
    const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
    const texts = [...documentTexts.values(), ...begun].join('\n')
    const named = new Set([...texts.matchAll(/\bnpm run ([\w-]+)/g)].map(([, name = '']) => name))
    assert.ok(named.size > 3)
    assert.deepEqual(
      [...named].filter((name) => !(name in scripts)),
      [],
    )
  })
})

/** Fails unless a call, or a line about its usage, has a command and options that there are. */
async function assertKnown(line: string): Promise<void> {
  const options = [...line.matchAll(/(?<=[ [])--?[a-zA-Z][\w-]*/g)].map(([option]) => option)
  const path: string[] = []
  let help = (await parley(['--help'])).out
  for (const word of line.split(' ').slice(1)) {
    const name = word.replaceAll(/[[\]]/g, '')
    if (!new RegExp(`^ {2}${name}\\b`, 'm').test(help.split('Commands:')[1] ?? '')) break
    path.push(name)
    help = (await parley([...path, '--help'])).out
  }
  if (path.length === 0) help += (await parley(['serve', '--help'])).out
  const isRoot = /^parley(?: \[| -| 2>|$)/.test(line)
  assert.ok(path.length > 0 || isRoot, `${line}: no such command`)
  for (const option of options) {
    assert.match(help, new RegExp(`(?<=[ ,])${option}(?=[ ,\\n])`), `${line}: ${option}`)
  }
}

describe('what people type', () => {
  /** What each example of the page about formatting makes. */
  const formatting: readonly (readonly [heading: string, made: readonly RegExp[]])[] = [
    [
      'Bold, italic and strikethrough',
      [/<em>italic<\/em>/, /<strong>bold<\/strong>/, /<del>struck out<\/del>/],
    ],
    ['Links', [/href="https:\/\/example\.com">https/, /href="https:\/\/example\.com">our page</]],
    ['Lists', [/<ul>\s*<li>milk<\/li>/, /<ul>\s*<li>with seeds/, /<ol>\s*<li>first/]],
    ['Headings and lines', [/<h1>Plan<\/h1>/, /<hr>/]],
    ['Quotes', [/<blockquote>\s*<p>one line/, /<blockquote>\s*<p>several lines/]],
    ['Code', [/<code>init\(\)<\/code>/, /data-code-language="Python"/]],
    ['Spoilers', [/class="spoiler-header"/, /The answer/]],
    ['Formulas', [/class="katex"/, /class="katex-display"/]],
    ['Tables', [/<table>/, /text-align: right/]],
    [
      'Mention people and groups',
      [
        /class="user-mention" data-user-id="\d+">@Iago/,
        /class="user-mention silent"[^>]*>Iago/,
        /class="user-group-mention"[^>]*>@support/,
        /channel-wildcard-mention[^>]*>@all/,
        /class="topic-mention">@topic/,
      ],
    ],
    [
      'Link to channels, topics and messages',
      [/class="stream"[^>]*>#design</, /class="stream-topic"[^>]*>#design &gt; new icons</],
    ],
    ['Emoji', [/title="tada"/, /title="\+1"/]],
    ['Times', [/<time datetime="2026-11-30T09:00:00Z">/]],
  ]
  const named = formatting.map(
    ([heading, made]) => [heading, takeExample(`people/formatting: ${heading}`), made] as const,
  )
  test('makes what the page about formatting says', async () => {
    const admin = server.as('admin')
    await admin.post('/user_groups/create', {
      name: 'support',
      description: '',
      members: [admin.id],
    })
    await admin.post('/users/me/subscriptions', { subscriptions: [{ name: 'design' }] })
    for (const [heading, content, made] of named) {
      const { rendered } = await admin.post<{ rendered: string }>('/messages/render', { content })
      for (const pattern of made) assert.match(rendered, pattern, heading)
    }
  })

  const searches = [
    'people/search: Search in a channel or topic',
    'people/search: Search for messages from a person',
    'people/search: Search by date',
  ].map(takeExample)
  test('is read as filters by the search', () => {
    const lookups = {
      selfId: 1,
      groups: new Table<number, never>(),
      channels: new Table([[2, { id: 2, name: 'design' }]]),
      users: new Table([
        [3, { id: 3, name: 'Iago', email: 'iago@zulip.com', deliveryEmail: null }],
      ]),
    } as unknown as Parameters<typeof parseSearch>[1]
    const read = (text: string) => parseSearch(text, lookups).terms.map(({ operator }) => operator)
    const lines = searches.join('').split('\n').filter(Boolean)
    assert.deepEqual(lines.map(read), [
      ['channel', 'search'],
      ['channel', 'topic', 'search'],
      ['sender', 'search'],
      ['after', 'before', 'search'],
    ])
    const page = documentTexts.get('people/search') ?? ''
    for (const [, filter = ''] of page.matchAll(/^\| `([a-z-]+:[\w-]*)`/gm)) {
      const [operator] = read(filter.endsWith(':') ? `${filter}1` : filter)
      if (!filter.startsWith('near:')) assert.equal(operator, filter.split(':')[0], filter)
    }
  })
})

const layout = takeExample('README: How it is laid out')
/** Their line in the layout names all of them. */
const mirrors = ['features', 'platform', 'program', 'client', 'shared', 'whole']
test('the layout in the README is that of the repository', () => {
  const named = new Set<string>()
  let folder = ''
  for (const line of layout.split('\n').filter((each) => /^ {0,2}\S/.test(each))) {
    const [, indent = '', names = ''] = /^( *)(.+?)(?: {2,}.*)?$/.exec(line) ?? []
    const paths = names.replace(/ .*/, (rest) => (names.includes(',') ? rest : '')).split(', ')
    if (indent === '') folder = paths[0] ?? ''
    for (const path of paths) {
      const whole = `${indent === '' ? '' : folder}${path}`
      named.add(whole)
      if (!path.includes('*')) assert.ok(existsSync(new URL(whole, root)), whole)
    }
  }
  const foldersIn = (path: string) =>
    readdirSync(new URL(path, root), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${path}${name}/`)
  for (const each of ['src/', 'src/program/', 'src/platform/', 'test/'].flatMap(foldersIn)) {
    const isMirror = mirrors.some((name) => each === `test/${name}/`)
    assert.ok(isMirror || named.has(each), `${each} is not in the layout`)
  }
})
