import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { archivedHtml } from '#features/organization/exports/archive/message-html.ts'
import { openDatabase } from '#platform/store/open.ts'
import { runCli } from '#program/cli/program.ts'
import { importFiles } from '#test/support/exports/importing.ts'
import { zulipExport } from '#test/support/exports/zulip.ts'

const root = mkdtempSync(join(tmpdir(), 'parley-archive-'))
after(() => rmSync(root, { recursive: true, force: true }))

const json = JSON.stringify

before(async () => {
  const imported = await importFiles(zulipExport())
  imported.db.$client.close()
  const db = openDatabase(join(imported.folder, 'parley.db'))
  db.$client
    .prepare(`INSERT INTO pinned_messages SELECT id, recipient_id, sender_id, 1700000000 FROM messages
      WHERE id = 1001`)
    .run()
  const people = db.$client.prepare(
    'SELECT id FROM users WHERE NOT is_system_bot ORDER BY id LIMIT 2',
  )
  const [first, second] = people.pluck().all() as number[]
  const step =
    db.$client.prepare(`INSERT INTO submessages (message_id, msg_type, sender_id, content)
    SELECT id, 'widget', coalesce(?, sender_id), ? FROM messages WHERE id = 1003`)
  const options = ['Sea & sand', 'Hills']
  step.run(null, json({ widget_type: 'poll', extra_data: { question: 'Where to?', options } }))
  step.run(first, json({ type: 'vote', key: 'canned,0', vote: 1 }))
  step.run(second, json({ type: 'new_option', option: 'Both', idx: 1 }))
  for (const voter of [first, second]) {
    step.run(voter, json({ type: 'vote', key: `${second},1`, vote: 1 }))
  }
  db.$client.close()
  const shell = { out() {}, err() {}, errIsTerminal: false, env: {} }
  const file = join(root, 'archive.tar.gz')
  const args = ['export', file, '--format', 'archive', '--data', imported.folder]
  assert.equal(await runCli(args, shell as never), 0)
  execFileSync('tar', ['-xzf', file, '-C', root])
  rmSync(imported.folder, { recursive: true })
})

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const pages = () =>
  readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.html'))

describe('an archive to read without a server', () => {
  test('leads from the first page to a message of each kind of conversation', () => {
    const index = read('index.html')
    assert.match(index, /<a href="channels\/101\/index.html">#channel 101<\/a>/)
    assert.match(index, /private/)
    assert.match(read('channels/101/index.html'), /<a href="1.html">plans<\/a> <small>\d+ messages/)
    assert.match(read('channels/101/1.html'), /<article id="m1001">/)
    const direct = /direct\/\d+\.html/.exec(index)?.[0]
    assert.ok(direct)
    assert.match(read(direct), /just us|note to self|three|four|to the bot/)
  })

  test('marks messages that are pinned', () => {
    const page = read('channels/101/1.html')
    const marked = page.split('<article').filter((each) => each.includes('<small>pinned</small>'))
    assert.equal(marked.length, 1)
    assert.match(marked[0] ?? '', /^ id="m1001"/)
  })

  test('shows polls with who voted, and to-do lists with their marks', () => {
    const texts = pages().map(read)
    for (const shown of [
      '<p><strong>Where to?</strong></p>\n<ul>\n<li>Sea &amp; sand – Person 11</li>\n<li>Hills – 0</li>\n<li>Both – Person 11, New Name</li>\n</ul>',
      '<p><strong>To-do list</strong></p>\n<ul>\n<li>☑ Pack</li>\n<li>☑ Lift</li>\n</ul>',
    ]) {
      assert.equal(texts.filter((text) => text.includes(shown)).length, 1, shown)
    }
  })

  test('shows long topics on several pages that lead to each other', () => {
    assert.match(read('channels/101/1.html'), /<a href="1-2.html">Newer<\/a>/)
    assert.match(read('channels/101/1-2.html'), /<a href="1.html">Older<\/a>/)
  })

  test('every link and file of its pages is in it', () => {
    let links = 0
    for (const page of pages()) {
      for (const [, , url = ''] of read(page).matchAll(/\s(href|src)="([^"]*)"/g)) {
        if (/^(https?:|mailto:|#)/.test(url)) continue
        const [path = '', anchor] = decodeURI(url).split('#')
        const target = join(root, dirname(page), path)
        assert.ok(existsSync(target), `${page}: ${url}`)
        if (anchor) assert.ok(readFileSync(target, 'utf8').includes(`id="${anchor}"`), url)
        links += 1
      }
    }
    assert.ok(links > 2000)
  })

  test('loads nothing from elsewhere, and scripts only for its search', () => {
    for (const page of pages()) {
      const html = read(page)
      const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? ''
      assert.match(policy, /^default-src 'none'; script-src /)
      assert.match(policy, /base-uri 'none'; form-action 'none'$/)
      assert.doesNotMatch(html, /\ssrc="(?:https?:)?\/\//)
      const scripts = html.match(/<script\b[^>]*>/g) ?? []
      if (page === 'search.html') {
        assert.match(policy, /script-src 'self' file:;/)
        assert.deepEqual(scripts, ['<script src="search/search.js">'])
      } else {
        assert.match(policy, /script-src 'none';/)
        assert.deepEqual(scripts, [])
      }
    }
  })

  test('lists topics and direct conversations newest first', () => {
    const newestOf = (path: string) =>
      Math.max(...[...read(path).matchAll(/<article id="m(\d+)">/g)].map(([, id]) => Number(id)))
    const topics = [...read('channels/101/index.html').matchAll(/<li><a href="(\d+)\.html">/g)]
    const newest = topics.map(([, n]) =>
      Math.max(
        ...pages()
          .filter((path) => new RegExp(`^channels/101/${n}(?:-\\d+)?\\.html$`).test(path))
          .map(newestOf),
      ),
    )
    assert.ok(newest.length > 2)
    assert.deepEqual(
      newest,
      newest.toSorted((a, b) => b - a),
    )
    const direct = [...read('index.html').matchAll(/href="(direct\/\d+\.html)"/g)]
    const last = direct.map(([, path = '']) => newestOf(path))
    assert.ok(last.length > 2)
    assert.deepEqual(
      last,
      last.toSorted((a, b) => b - a),
    )
  })

  test('has the same as JSON Lines', () => {
    const lines = read('messages.jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.equal(lines.length, 2000)
    assert.equal(lines[0].content, 'Message 1')
    const pinned = lines.filter((line) => line.pinned !== null)
    assert.deepEqual(
      pinned.map((line) => [line.id, line.pinned]),
      [[1001, { user_id: pinned[0].sender_id, timestamp: 1_700_000_000 }]],
    )
    assert.equal(read('people.jsonl').includes('"name":"Person 11"'), true)
    assert.equal(read('channels.jsonl').trim().split('\n').length, 4)
  })
})

describe('the HTML of a message in an archive', () => {
  const links = {
    up: '../../',
    origin: 'https://chat.example.org',
    page: (narrow: string) => (narrow.endsWith('/near/7') ? 'channels/1/2.html#m7' : undefined),
  }
  // biome-ignore format: a table reads best in columns
  const cases: [string, string, string][] = [
    ['an upload', '<a href="/user_uploads/1/ab/x.pdf">x.pdf</a>', '<a href="../../files/1/ab/x.pdf">x.pdf</a>'],
    ['a thumbnail', '<img src="/user_uploads/thumbnail/1/ab/x.png/840x560.webp">', '<img src="../../files/1/ab/x.png" loading="lazy">'],
    ['an emoji', '<span aria-label="thumbs up" class="emoji emoji-1f44d" role="img" title="thumbs up">:+1:</span>!', '👍!'],
    ['a custom emoji', '<img alt=":tick:" class="emoji" src="/user_avatars/1/emoji/images/31.png" title="tick">', '<img alt=":tick:" class="emoji" src="../../emoji/31.png" loading="lazy" title="tick">'],
    ['a message', '<a href="/#narrow/channel/1-x/topic/y/near/7">x</a>', '<a href="../../channels/1/2.html#m7">x</a>'],
    ['a message that is not in it', '<a href="/#narrow/channel/1-x/topic/y/near/8">x</a>', '<a href="https://chat.example.org/#narrow/channel/1-x/topic/y/near/8">x</a>'],
    ['a picture of another site', `<img src="/external_content/00ff/${Buffer.from('https://a.example/p.png').toString('hex')}">`, 'https://a.example/p.png'],
    ['an address with signs for parts of a text', `<a href="http://a.b/$'$&$1" title="c x=1">a</a>`, `<a href="http://a.b/$'$&$1" title="c x=1">a</a>`],
    ['a file with such a name', '<img src="/user_uploads/1/ab/$&.png" alt="x">', '<img src="../../files/1/ab/$&.png" loading="lazy" alt="x">'],
    ['an aligned cell', '<td style="text-align: right;">1</td>', '<td class="right">1</td>'],
    ['a picture in a style', '<a href="https://a.example/" style="background-image: url(/external_content/0/6)"></a>', '<a href="https://a.example/"></a>'],
    ['another site', '<a href="https://a.example/">a</a>', '<a href="https://a.example/">a</a>'],
  ]
  for (const [name, html, expected] of cases) {
    test(`shows ${name}`, () => assert.equal(archivedHtml(html, links), expected))
  }
})
