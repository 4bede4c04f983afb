import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { indexLag } from '#features/foundation/core/indexing.queries.ts'
import { findMessage, insertMessage, newestMessageId } from '#features/foundation/core/queries.ts'
import { updateSearchIndex } from '#features/messaging/messages/jobs.ts'
import { highlight } from '#features/messaging/narrow/highlight.queries.ts'
import { listMigrations } from '#platform/store/migrations.ts'
import type { Tx } from '#platform/store/store.ts'
import { success } from '#test/support/replies.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const { store } = server.server.context

interface Found {
  id: number
  match_content?: string
  match_subject?: string
}

const say = async (content: string, topic = 'plans') =>
  await server.say('admin', 'shared', topic, content)

const messages = {
  running: await say('Running in the rain'),
  runs: await say('She runs a café, *very* good coffee'),
  quoted: await say('He said "run away" and ran'),
  path: await say('see foo-bar.ts or foo_bar'),
  japanese: await say('こんにちは 世界'),
  code: await say('`SELECT * FROM users` AND NOT NEAR'),
  topic: await say('Nothing of that here.', 'Rain & <snow>'),
  html: await say('a < b && b > c: &amp; <b>rain</b>'),
}
const nameOf = (id: number) => Object.entries(messages).find(([, one]) => one === id)?.[0]

async function search(...texts: string[]): Promise<Found[]> {
  const reply = await server.as('member').get<{ messages: Found[] }>('/messages', {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    narrow: texts.map((text) => ['search', text]),
  })
  assert.equal(reply.result, 'success', reply.msg)
  return reply.messages
}

describe('what a search finds', () => {
  const rows: [text: string, expected: (keyof typeof messages)[]][] = [
    ['rain', ['running', 'topic', 'html']],
    ['RAIN', ['running', 'topic', 'html']],
    ['run', ['running', 'runs', 'quoted']],
    ['running', ['running', 'runs', 'quoted']],
    ['run rain', ['running']],
    ['"run away"', ['quoted']],
    ['"running away"', ['quoted']],
    ['"away run"', []],
    ['"run away" said', ['quoted']],
    ['cafe', ['runs']],
    ['CAFÉ', ['runs']],
    ['very', ['runs']],
    ['foo-bar', ['path']],
    ['foo.bar', ['path']],
    ['bar-foo', []],
    ['世界', ['japanese']],
    ['こんにちは 世界', ['japanese']],
    ['snow', ['topic']],
    ['snow nothing', ['topic']],
    ['absent', []],
    ['  rain  ', ['running', 'topic', 'html']],
  ]
  for (const [text, expected] of rows) {
    test(text, async () => {
      assert.deepEqual(
        (await search(text)).map(({ id }) => nameOf(id)),
        expected,
      )
    })
  }
})

describe('nothing that a user types is query syntax', () => {
  const rows: [text: string, expected: (keyof typeof messages)[]][] = [
    ['AND', ['quoted', 'code']],
    ['NOT', ['code']],
    ['NOT NEAR', ['code']],
    ['users OR nothing', []],
    ['content:rain', []],
    ['content : rain', []],
    ['{content topic} : rain', []],
    ['rai* +', ['running', 'topic', 'html']],
    ['*rai*', []],
    ['"rai"*', []],
    ['r*', []],
    ['^running', ['running', 'runs', 'quoted']],
    ['NEAR(rain snow)', []],
    ['(rain)', ['running', 'topic', 'html']],
    ['-rain', ['running', 'topic', 'html']],
    ['rain + snow', ['topic']],
    ['"rain', ['running', 'topic', 'html']],
    ['rain"', ['running', 'topic', 'html']],
    ['rain""snow', ['topic']],
    ['"', []],
    ['""', []],
    ['', []],
    ['   ', []],
    ['***', []],
    ['!!! rain ???', ['running', 'topic', 'html']],
    ["rain'; DROP TABLE messages; --", []],
    ['\\', []],
    ['\u0001rain\u0002', ['running', 'topic', 'html']],
    ['🙂', []],
    ['x '.repeat(500), []],
    ['"'.repeat(1000), []],
    ['('.repeat(1000), []],
  ]
  for (const [text, expected] of rows) {
    test(JSON.stringify(text.slice(0, 40)), async () => {
      assert.deepEqual(
        (await search(text)).map(({ id }) => nameOf(id)),
        expected,
      )
    })
  }
})

describe('messages that enter the index later, with many others', () => {
  const first = async (text: string) => (await search(text)).map(({ id }) => id)

  test('are found at once', async () => {
    const id = await say('A zymurgist.')
    assert.notEqual(indexLag(store), 0)
    assert.deepEqual(await first('zymurgist'), [id])
    assert.equal(indexLag(store), 0)
  })

  test('are found by what an edit has left', async () => {
    const id = await say('A xylographer.')
    await server.as('admin').patch(`/messages/${id}`, { content: 'A campanologist.' })
    assert.deepEqual(await first('xylographer'), [])
    assert.deepEqual(await first('campanologist'), [id])
  })

  test('are not found once they were deleted', async () => {
    const id = await say('A funambulist.')
    const kept = await say('Another funambulist.')
    assert.equal((await server.as('admin').del(`/messages/${id}`)).result, 'success')
    assert.deepEqual(await first('funambulist'), [kept])
  })

  test('are never more than some hundreds', async () => {
    const message = findMessage(store, messages.runs)
    assert.ok(message)
    const { id: _, lastEditAt: __, lastMovedAt: ___, ...same } = message
    const last = await store.write((tx) => insertMessage(tx, same).id)
    for (let i = 0; i < 600; i++) {
      await store.write((tx) => insertMessage(tx, same))
      assert.ok(indexLag(store) < 512)
    }
    assert.ok(newestMessageId(store) >= last + 600)
    assert.equal((await first('café')).length, 100)
  })

  test('a long word is found by itself and by its first 64 letters, and is marked as a whole', async () => {
    const word = `${'abcdefgh'.repeat(12)}zyx`
    const id = await say(`The sum is ${word}.`)
    for (const text of [word, word.slice(0, 64), `${word.slice(0, 20)}*`]) {
      const found = await search(text)
      assert.deepEqual(
        found.map((each) => each.id),
        [id],
        text,
      )
    }
    const [{ match_content: marked = '' } = {}] = await search(word)
    assert.match(marked, new RegExp(`<span class="highlight">${word}</span>`))
    assert.deepEqual(await first(word.slice(0, 63)), [])
  })

  test('words of scripts without spaces are never cut', async () => {
    const id = await say(`${'統計'.repeat(60)}年鑑`)
    assert.deepEqual(await first('年鑑'), [id])
  })

  test('match a narrow that searches', async () => {
    const id = await say('An ailurophile.')
    const params = { msg_ids: [id], narrow: [['search', 'ailurophile']] }
    const reply = await server.as('member').get('/messages/matches_narrow', params)
    assert.deepEqual(Object.keys(reply.messages as object), [String(id)])
  })

  test('are flagged by a narrow that searches', async () => {
    const id = await say('A philatelist.')
    const narrow = [['search', 'philatelist']]
    const window = { anchor: 'newest', num_before: 5, num_after: 0, narrow }
    const params = { ...window, op: 'add', flag: 'starred' }
    const reply = await server.as('member').post('/messages/flags/narrow', params)
    assert.equal(reply.first_processed_id, id)
  })
})

test('a page shows where it matched, in content and topic', async () => {
  const [runs] = await search('cafe', '"good coffee"')
  assert.equal(
    runs?.match_content,
    '<p>She runs a <span class="highlight">café</span>, <em>very</em> <span class="highlight">good coffee</span></p>',
  )
  assert.equal(runs?.match_subject, 'plans')
  const [snow] = await search('snow rain')
  assert.equal(
    snow?.match_subject,
    '<span class="highlight">Rain</span> &amp; &lt;<span class="highlight">snow</span>&gt;',
  )
  assert.equal(snow?.match_content, '<p>Nothing of that here.</p>')
})

test('a page without a search shows no matches, nor does one that excludes a text', async () => {
  for (const narrow of [[], [{ operator: 'search', operand: 'rain', negated: true }]]) {
    const reply = await server.as('member').get<{ messages: Found[] }>('/messages', {
      anchor: 'newest',
      num_before: 100,
      num_after: 0,
      narrow,
    })
    assert.ok(reply.messages.length > 0)
    for (const message of reply.messages) assert.ok(!('match_content' in message))
  }
})

test('a message that is changed is found by its new words only', async () => {
  const id = await say('About zebras')
  assert.deepEqual((await search('zebra')).length, 1)
  await server.as('admin').patch(`/messages/${id}`, { content: 'About giraffes' })
  assert.deepEqual(await search('zebra'), [])
  assert.deepEqual((await search('giraffe')).length, 1)
  assert.deepEqual(await server.as('admin').del(`/messages/${id}`), success)
  assert.deepEqual(await search('giraffe'), [])
})

describe('which of some messages match', () => {
  const check = (narrow: unknown, ...ids: number[]) =>
    server.as('member').get<{ messages: object }>('/messages/matches_narrow', {
      msg_ids: ids,
      narrow,
    })

  test('comes with the matches of a search', async () => {
    const { running, path, html } = messages
    const { messages: found } = await check([['search', 'rain']], running, path, html, 9999)
    assert.deepEqual(found, {
      [running]: {
        match_content: '<p>Running in the <span class="highlight">rain</span></p>',
        match_subject: 'plans',
      },
      [html]: {
        match_content:
          '<p>a &lt; b &amp;&amp; b &gt; c: &amp; &lt;b&gt;<span class="highlight">rain</span>&lt;/b&gt;</p>',
        match_subject: 'plans',
      },
    })
  })

  test('comes with the plain texts without a search', async () => {
    const { messages: found } = await check(
      [['topic', 'Rain & <snow>']],
      ...Object.values(messages),
    )
    assert.deepEqual(found, {
      [messages.topic]: {
        match_content: '<p>Nothing of that here.</p>',
        match_subject: 'Rain &amp; &lt;snow&gt;',
      },
    })
  })

  test('never tells of what the caller may not read', async () => {
    const secret = await server.say('admin', ['owner'], '', 'rain between us')
    const hidden = await server.say('moderator', 'public', 'x', 'public rain')
    const { messages: found } = await check([['search', 'rain']], secret, hidden)
    assert.deepEqual(Object.keys(found), [String(hidden)])
    const stranger = await server
      .as('guest')
      .get<{ messages: object }>('/messages/matches_narrow', {
        msg_ids: [secret, hidden],
        narrow: [['search', 'rain']],
      })
    assert.deepEqual(stranger.messages, {})
  })
})

describe('highlighting touches text alone', () => {
  const mark = (text: string) => `<span class="highlight">${text}</span>`
  const rows: [title: string, html: string, searched: string, expected: string][] = [
    ['a word', '<p>rain</p>', 'rain', `<p>${mark('rain')}</p>`],
    ['several', 'rain, rain', 'rain', `${mark('rain')}, ${mark('rain')}`],
    ['not inside a word', 'train', 'rain', 'train'],
    ['not a tag', '<p class="rain">rain</p>', 'rain', `<p class="rain">${mark('rain')}</p>`],
    ['not a tag of that name', '<em>x</em>', 'em', '<em>x</em>'],
    ['not an address', '<a href="/rain">x</a>', 'rain', '<a href="/rain">x</a>'],
    ['not an entity', 'a &amp; b', 'amp', 'a &amp; b'],
    ['not a named entity', '&copy; x', 'copy', '&copy; x'],
    ['not a numbered entity', '&#39;x&#x27;', '39', '&#39;x&#x27;'],
    ['beside entities', '&lt;rain&gt;', 'rain', `&lt;${mark('rain')}&gt;`],
    ['a phrase', 'the good rain', '"good rain"', `the ${mark('good rain')}`],
    [
      'a phrase across tags',
      'good <em>rain</em>!',
      '"good rain"',
      `${mark('good')} <em>${mark('rain')}</em>!`,
    ],
    ['overlapping phrases', 'a b c', '"a b" "b c"', mark('a b c')],
    ['accents', 'un café', 'cafe', `un ${mark('café')}`],
    ['word endings', 'runs', 'running', mark('runs')],
    ['letters of two code units', '𝒙 rain 🙂 rain', 'rain', `𝒙 ${mark('rain')} 🙂 ${mark('rain')}`],
    ['not a formula', '<math><mi>x</mi></math> x', 'x', `<math><mi>x</mi></math> ${mark('x')}`],
    ['a word in Japanese', '速い東京で', '東京', `速い${mark('東京')}で`],
    ['such a word across tags', '<b>東</b>京', '東京', `<b>${mark('東')}</b>${mark('京')}`],
    [
      'marks of a letter',
      'e\u0301te\u0301 été',
      'ete',
      `${mark('e\u0301te\u0301')} ${mark('été')}`,
    ],
    ['the marks themselves', '\u0001rain\u0002 x', 'x', `\u0001rain\u0002 ${mark('x')}`],
    ['a lone bracket', 'a < rain', 'rain', `a < ${mark('rain')}`],
    ['an unclosed tag', 'rain <b', 'rain', `${mark('rain')} <b`],
    ['no match', '<p>sun</p>', 'rain', '<p>sun</p>'],
    ['nothing at all', '', 'rain', ''],
    ['no words', '<p>***</p>', '***', '<p>***</p>'],
  ]
  for (const [title, html, searched, expected] of rows) {
    test(title, () => assert.deepEqual(highlight(store, [html], [searched]), [expected]))
  }

  test('the texts of several elements do not mix', () => {
    assert.deepEqual(highlight(store, ['good', 'rain', 'rain'], ['"good rain" rain']), [
      'good',
      mark('rain'),
      mark('rain'),
    ])
  })

  test('what stands between texts does not mix with them', () => {
    const texts = ['good', 'a\n\uf8ff\nrain', '\uf8ff']
    assert.deepEqual(highlight(store, texts, ['"good \uf8ff a" rain \uf8ff']), [
      'good',
      `a\n\uf8ff\n${mark('rain')}`,
      '\uf8ff',
    ])
  })
})

/** A message beside the others, written without an action; its id. */
function insertLike(tx: Tx, content: string, topic = 'plans'): number {
  const row = findMessage(tx, messages.running)
  assert.ok(row)
  const { id: _, lastEditAt: _edit, lastMovedAt: _move, ...rest } = row
  return insertMessage(tx, { ...rest, content, topic, topicKey: topic }).id
}

test('what is sent and changed in one group of writes is found as it is in the end', async () => {
  const insert = (content: string) => store.write((tx) => insertLike(tx, content))
  const change = (sql: string) => store.write((tx) => tx.db.$client.exec(sql))
  const [kept, edited, deleted] = await Promise.all([
    insert('zebra one'),
    insert('zebra two'),
    insert('zebra three'),
    change(`UPDATE messages SET content = 'tapir two' WHERE content = 'zebra two'`),
    change(`DELETE FROM messages WHERE content = 'zebra three'`),
  ])
  assert.deepEqual(
    (await search('zebra')).map(({ id }) => id),
    [kept],
  )
  assert.deepEqual(
    (await search('tapir')).map(({ id }) => id),
    [edited],
  )
  assert.ok(deleted > edited)
  const next = await say('zebra four')
  assert.deepEqual(
    (await search('zebra')).map(({ id }) => id),
    [kept, next],
  )
})

test('of a group of writes, the one that fails leaves nothing to find', async () => {
  const insert = (content: string, fails: boolean) =>
    store.write((tx) => {
      const id = insertLike(tx, content, 'okapis')
      if (fails) throw new Error('No.')
      return id
    })
  const results = await Promise.allSettled([
    insert('okapi one', true),
    insert('okapi two', false),
    insert('okapi three', true),
  ])
  const [, kept] = results
  assert.ok(kept?.status === 'fulfilled')
  const found = await search('okapi')
  assert.deepEqual(
    found.map(({ id }) => id),
    [kept.value],
  )
  await store.write((tx) =>
    tx.db.$client.exec(`UPDATE messages SET topic = 'lemurs', topic_key = 'lemurs'
      WHERE topic = 'okapis'`),
  )
  assert.deepEqual(
    (await search('lemurs')).map(({ id }) => id),
    [kept.value],
  )
})

describe('the beginning of a word, with a star, finds', () => {
  const words =
    'deploy deploys deployment deployed running hidden organization e1df6d77a0b3 plt-3699 Größe ' +
    '会議室 generalization happily café 3beaded'
  for (const word of words.split(' ')) {
    test(`${word}, however much of it is typed, in history and in new messages`, async () => {
      const letters = [...word]
      const beginnings = letters
        .map((_, i) => letters.slice(0, i + 1).join(''))
        .filter((text) => /[\p{L}\p{N}]{2}$/u.test(text))
      const queues = await Promise.all(
        beginnings.map((text) =>
          server
            .as('member')
            .watchWith({ event_types: ['message'], narrow: [['search', `${text}*`]] }),
        ),
      )
      const id = await say(`Look: (${word})!`)
      for (const [i, text] of beginnings.entries()) {
        const found = (await search(`look ${text}*`)).find((one) => one.id === id)
        assert.match(found?.match_content ?? '', /\(<span class="highlight">/, text)
        assert.equal((await queues[i]?.drain())?.length, 1, text)
      }
      assert.ok(!(await search(`xx${word}*`)).some((one) => one.id === id))
    })
  }
})

describe('what people read is found as well as what was written', () => {
  // biome-ignore format: a table reads best in columns
  const table: [written: string, searched: string, marked: string][] = [
    ['Look: 🐙!',            '🐙',             ':octopus:'],
    ['Look:🐙!',             'octopus',        ':octopus:'],
    ['Look: 🐙!',            ':octopus:',      ':octopus:'],
    ['Look: 🐙!',            'oct*',           ':octopus:'],
    ['Look: :octopus:!',     '🐙',             ':octopus:'],
    ['Look: :octopus:!',     'octopus',        ':octopus:'],
    ['`a 🐙`',               'octopus',        '🐙'],
    ['all 🐙 here',          '"all 🐙 here"',  'all|:octopus:|here'],
    ['good :+1:',            '👍',             ':+1:'],
    ['good 👍',              'thumbs_up',      ':+1:'],
    ['good 👍🏽',              '👍',             '👍🏽'],
    ['good 👍',              '👍🏽',             ':+1:'],
    ['love ❤️',              '❤',              ':heart:'],
    ['love ❤',               '❤️',             ':heart:'],
    ['dear❤️dear',           'dear',           'dear|dear'],
    ['stop 🔴',              'red_circle',     ':red_circle:'],
    ['in 🇩🇪 now',            'germany',        ':flag_germany:'],
    ['step 1️⃣ done',         '1️⃣',             ':one:'],
    ['now v1.2.3 is out',    '1.2.3',          '1.2.3'],
    ['now v1.2.3 is out',    'v1.2.3',         'v1.2.3'],
    ['now v1.2.3 is out',    'v1.2*',          'v1.2'],
    ['now release2.1 is',    '2.1',            '2.1'],
    ['now 2.1rc3 is out',    '2.1',            '2.1'],
    ['now v2 is out',        'v2',             'v2'],
    ['te**xt**',             'text',           'te|xt'],
    ['te**xt**',             'te',             'te'],
    ['a **b**ig te*x*t here', '"big text here"', 'b|ig te|x|t here'],
    ['[te](https://a.example)xt', 'text',      'te|xt'],
    ['~~te~~xt',             'text',           'te|xt'],
    ['te`xt`',               'text',           'te|xt'],
  ]
  for (const [written, searched, marked] of table) {
    test(`${written} by ${searched}`, async () => {
      const queue = await server
        .as('member')
        .watchWith({ event_types: ['message'], narrow: [['search', searched]] })
      const id = await say(written)
      const found = (await search(searched)).find((one) => one.id === id)
      const marks = found?.match_content?.matchAll(/<span class="highlight">(.*?)<\/span>/g) ?? []
      assert.equal([...marks].map(([, text]) => text).join('|'), marked)
      assert.equal((await queue.drain()).length, 1)
    })
  }

  // biome-ignore format: a table reads best in columns
  const others: [written: string, searched: string][] = [
    ['an octopus',     '🐙'],
    ['good 👍',        '👎'],
    ['good 👍 here',   '"good here"'],
    ['good 👍',        '"good thumbs"'],
    ['v11.2.3',        '1.2.3'],
    ['te **xt**',      'text'],
  ]
  for (const [written, searched] of others) {
    test(`${written} is not found by ${searched}`, async () => {
      const id = await say(written)
      assert.ok(!(await search(searched)).some((one) => one.id === id))
    })
  }

  test('also in messages from before, once the job has looked through them', async () => {
    const ids = await Promise.all(['old 🐙', 'old v7.8', 'ol**der** one', 'old'].map((x) => say(x)))
    await search('old')
    const { $client } = store.db
    const forget = $client.prepare('UPDATE messages_fts SET content = ?, topic = ? WHERE rowid = ?')
    for (const id of ids) forget.run('old', 'plans', id)
    const migration = listMigrations().find((part) => part.join().includes('`search_updates`'))
    $client.exec(migration?.at(-1) ?? '')
    await updateSearchIndex.run(server.server.context, new AbortController().signal)
    assert.equal(updateSearchIndex.dueAt(store), undefined)
    for (const [i, searched] of ['old octopus', 'old 7.8', 'older'].entries()) {
      assert.ok(
        (await search(searched)).some(({ id }) => id === ids[i]),
        searched,
      )
    }
    $client.exec("INSERT INTO messages_fts (messages_fts) VALUES ('integrity-check')")
  })
})
