import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { systemClock } from '#platform/clock.ts'
import { listMigrations } from '#platform/store/migrations.ts'
import { openDatabase } from '#platform/store/open.ts'
import { fillSearchIndex } from '#program/search-index.ts'

/** A database as it was after the first `count` migrations, filled by `sql`; then migrated. */
function migrated(count: number, sql: string, check: (sqlite: Database.Database) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'parley-'))
  try {
    const file = join(folder, 'parley.db')
    const old = new Database(file)
    for (const statement of listMigrations().slice(0, count).flat()) old.exec(statement)
    old.exec(sql)
    old.pragma(`user_version = ${count}`)
    old.close()
    const { $client } = openDatabase(file)
    check($client)
    $client.close()
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('edit histories of messages become rows, the newest entry the last', () => {
  const history = JSON.stringify([
    { user_id: 9, timestamp: 12, prev_topic: 'a', topic: 'b', prev_stream: 3, stream: 4 },
    { user_id: null, timestamp: 11, prev_content: 'old', prev_rendered_content: '<p>old</p>' },
  ])
  const insert = (id: number, edits: string) =>
    `INSERT INTO messages (id, recipient_id, sender_id, topic, topic_key, content,
       rendered_content, sent_at, client, edit_history)
     VALUES (${id}, 1, 10, 'b', 'b', 'new', '<p>new</p>', 10, 'website', ${edits});`
  migrated(5, insert(1, 'NULL') + insert(2, `'${history}'`) + insert(3, `'[]'`), (sqlite) => {
    const edits = sqlite.prepare('SELECT * FROM message_edits ORDER BY id').raw().all()
    assert.deepEqual(edits, [
      [1, 2, null, 11, null, null, null, null, 'old', '<p>old</p>'],
      [2, 2, 9, 12, 'a', 'b', 3, 4, null, null],
    ])
    const kept = sqlite.prepare('SELECT id, content FROM messages').raw().all()
    assert.deepEqual(
      kept,
      [1, 2, 3].map((id) => [id, 'new']),
    )
  })
})

test('messages with pictures from elsewhere load none of them, and wait to be rendered again', () => {
  const picture = (src: string) => `<p>"a"</p><a href="https://x.org/a.png"><img ${src}></a>`
  const film = (rest: string) => `<video ${rest}="https://x.org/a.mp4"></video>`
  const old = [
    picture('src="https://x.org/a.png"') + picture('src="http://x.org/b.png"'),
    film('preload="metadata" src'),
    picture('src="/user_uploads/thumbnail/2/a.webp"'),
    '<code>&lt;img src="https://x.org/a.png"></code>',
  ]
  const rows = old.map(
    (html, i) => `
    INSERT INTO messages (id, recipient_id, sender_id, topic, topic_key, content,
       rendered_content, sent_at, client)
    VALUES (${i + 1}, 1, 10, 'b', 'b', 'x', '${html}', 10, 'website');
    INSERT INTO message_edits (message_id, edited_at, prev_content, prev_rendered_content)
    VALUES (${i + 1}, 10, 'x', '${html}');`,
  )
  migrated(7, `${rows.join('')}INSERT INTO placeholder_messages VALUES (3)`, (sqlite) => {
    const all = (query: string) => sqlite.prepare(query).pluck().all()
    const shown = [
      picture('data-original-src="https://x.org/a.png"') +
        picture('data-original-src="http://x.org/b.png"'),
      film('data-original-src'),
      ...old.slice(2),
    ]
    assert.deepEqual(all('SELECT rendered_content FROM messages'), shown)
    assert.deepEqual(all('SELECT prev_rendered_content FROM message_edits'), shown)
    assert.deepEqual(all('SELECT message_id FROM placeholder_messages'), [1, 2, 3])
  })
})

test('the search index begins anew, with words in every script', () => {
  const insert = `INSERT INTO messages (id, recipient_id, sender_id, topic, topic_key, content,
     rendered_content, sent_at, client) VALUES (1, 1, 10, 'b', 'b', '東京都', '', 10, 'website');
     INSERT INTO messages_fts (rowid, content, topic) SELECT id, content, topic FROM messages;`
  migrated(13, insert, (sqlite) => {
    const find = sqlite.prepare('SELECT rowid FROM messages_fts WHERE messages_fts MATCH ?').pluck()
    assert.deepEqual(find.all('東京都'), [])
    fillSearchIndex({ db: drizzle(sqlite), clock: systemClock })
    assert.deepEqual(find.all('"京 都"'), [1])
    sqlite.exec(`UPDATE messages SET content = 'Ｏsaka'`)
    assert.deepEqual([find.all('"京 都"'), find.all('osaka')], [[], [1]])
    sqlite.exec('DELETE FROM messages')
    assert.deepEqual(find.all('osaka'), [])
  })
})
