import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Files } from './archives.ts'

/** The tables of Campfire's schema that matter, and one that does not. */
const schema = `
  CREATE TABLE "accounts" ("id" integer PRIMARY KEY, "name" varchar NOT NULL, "join_code" varchar);
  CREATE TABLE "users" ("id" integer PRIMARY KEY, "name" varchar, "email_address" varchar, "bio" text,
    "role" integer DEFAULT 0, "status" integer DEFAULT 0, "password_digest" varchar, "bot_token" varchar,
    "created_at" datetime(6));
  CREATE TABLE "rooms" ("id" integer PRIMARY KEY, "name" varchar, "type" varchar, "creator_id" bigint,
    "created_at" datetime(6));
  CREATE TABLE "memberships" ("id" integer PRIMARY KEY, "room_id" integer, "user_id" integer,
    "involvement" varchar DEFAULT 'mentions', "unread_at" datetime(6));
  CREATE TABLE "messages" ("id" integer PRIMARY KEY, "room_id" integer, "creator_id" integer,
    "client_message_id" varchar, "created_at" datetime(6));
  CREATE TABLE "boosts" ("id" integer PRIMARY KEY, "message_id" integer, "booster_id" integer,
    "content" varchar(16));
  CREATE TABLE "action_text_rich_texts" ("id" integer PRIMARY KEY, "record_type" varchar, "record_id" bigint,
    "name" varchar, "body" text);
  CREATE TABLE "active_storage_attachments" ("id" integer PRIMARY KEY, "record_type" varchar,
    "record_id" bigint, "name" varchar, "blob_id" bigint);
  CREATE TABLE "active_storage_blobs" ("id" integer PRIMARY KEY, "key" varchar, "filename" varchar,
    "content_type" varchar, "byte_size" bigint);
  CREATE TABLE "sessions" ("id" integer PRIMARY KEY, "token" varchar);`

const base64 = (text: string) => Buffer.from(text).toString('base64')
/** A mention as Rails signs it: the payload is JSON, in which the ID is plain or in Base64 once more. */
const mention = (id: number, isOld = false) => {
  const gid = `gid://campfire/User/${id}?expires_in`
  const inside = isOld ? { message: base64(JSON.stringify(gid)) } : { data: gid }
  const sgid = `${base64(JSON.stringify({ _rails: { ...inside, pur: 'attachable' } }))}--0f0f`
  return `<action-text-attachment sgid="${sgid}" content-type="application/vnd.campfire.mention"></action-text-attachment>`
}

const bodies: readonly (readonly [room: number, by: number, html: string])[] = [
  [
    1,
    1,
    `<div>Hi ${mention(2)} and ${mention(3, true)}, <strong>bold</strong> <em>it</em> <del>no</del></div>`,
  ],
  [1, 2, '<div>literal **stars** @**all** &amp;lt; `x`<br>next &lt;script&gt;</div>'],
  [
    1,
    2,
    '<blockquote>said</blockquote><pre>if (a) { **b** }</pre><ul><li>one</li><li>two</li></ul><a href="javascript:alert(1)">bad</a> <a href="https://example.com/a">a page</a>',
  ],
  [1, 9, '<div>by nobody known</div>'],
  [2, 1, '<div>psst <script>alert(1)</script></div>'],
  [3, 2, '<div>direct</div>'],
  [3, 1, ''],
  [1, 1, ''],
  [
    1,
    1,
    'See https://example.com<action-text-attachment content-type="application/vnd.actiontext.opengraph-embed" href="https://example.com" title="Example"></action-text-attachment>',
  ],
  [1, 4, '<div>deployed</div>'],
  [
    1,
    2,
    '<div>as in https://fire.example.com/rooms/1/@1 and <a href="https://fire.example.com/rooms/1/@3">there</a>, not https://fire.example.com/rooms/1/@999</div>',
  ],
]

/** What is in Campfire's folder `storage`. @param change further SQL */
export function campfireExport(change = ''): Files {
  const folder = mkdtempSync(join(tmpdir(), 'parley-campfire-'))
  const path = join(folder, 'production.sqlite3')
  const db = new Database(path)
  try {
    db.exec(schema)
    db.exec(`
      INSERT INTO accounts VALUES (1, 'Fire place', 'join-secret');
      INSERT INTO users VALUES
        (1, 'Olga Owner', 'olga@example.com', 'Likes fires', 1, 0, '$2a$12$digest', NULL, '2024-02-01 08:00:00.000000'),
        (2, 'Ben', 'ben@example.com', NULL, 0, 0, '$2a$12$digest', NULL, '2024-02-02 08:00:00'),
        (3, 'Gone', 'gone-deactivated-0b9a3c1e-1111-4222-8333-444455556666@example.com', NULL, 0, 1, NULL, NULL, NULL),
        (4, 'Deploy', NULL, NULL, 2, 0, NULL, 'bot-secret', NULL),
        (5, 'Banned', 'banned@example.com', NULL, 0, 2, NULL, NULL, NULL),
        (6, 'Ann Admin', 'ann@example.com', '', 1, 0, NULL, NULL, NULL),
        (7, 'Bad', 'bad@example.com', NULL, 'x', 0, NULL, NULL, NULL);
      INSERT INTO rooms VALUES
        (1, 'All Talk', 'Rooms::Open', 1, '2024-02-01 08:00:00'),
        (2, 'Secret', 'Rooms::Closed', 1, '2024-02-01 08:00:00'),
        (3, NULL, 'Rooms::Direct', 1, '2024-02-01 08:00:00');
      INSERT INTO memberships (room_id, user_id, involvement, unread_at) VALUES
        (1, 1, 'everything', NULL), (1, 2, 'mentions', '2024-03-01 09:00:20.5'), (1, 4, 'mentions', NULL),
        (1, 6, 'nothing', NULL), (2, 1, 'invisible', NULL), (3, 1, 'everything', NULL), (3, 2, 'everything', NULL);
      INSERT INTO boosts (message_id, booster_id, content) VALUES
        (1, 2, '👍'), (1, 2, '👍'), (1, 6, '❤️'), (1, 2, 'well done');
      INSERT INTO active_storage_blobs VALUES
        (1, 'abcdkey1', 'plan.txt', 'text/plain', 4), (2, 'efghkey2', 'lost.png', 'image/png', 9);
      INSERT INTO active_storage_attachments (record_type, record_id, name, blob_id) VALUES
        ('Message', 8, 'attachment', 1), ('Message', 5, 'attachment', 2);`)
    const message = db.prepare('INSERT INTO messages VALUES (?, ?, ?, ?, ?)')
    const body = db.prepare(
      "INSERT INTO action_text_rich_texts (record_type, record_id, name, body) VALUES ('Message', ?, 'body', ?)",
    )
    for (const [i, [room, by, html]] of bodies.entries()) {
      const time = new Date(Date.UTC(2024, 2, 1, 9, 0, 10 + i * 5, 250)).toISOString()
      message.run(i + 1, room, by, `client-${i}`, `${time.slice(0, -1).replace('T', ' ')}000`)
      body.run(i + 1, html)
    }
    message.run(20, 1, 1, 'x', 'yesterday')
    db.exec(change)
    db.close()
    return {
      'storage/db/production.sqlite3': readFileSync(path),
      'storage/files/ab/cd/abcdkey1': 'plan',
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
