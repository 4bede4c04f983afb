import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SourceOptions } from '#features/organization/imports/source.ts'
import type { Files } from '#test/support/exports/archives.ts'
import { bsonOf } from '#test/support/exports/bson.ts'
import { discordExport } from '#test/support/exports/discord.ts'
import { importFiles } from '#test/support/exports/importing.ts'
import { mattermostExport } from '#test/support/exports/mattermost.ts'
import { rocketchatExport } from '#test/support/exports/rocketchat.ts'
import { slackExport, ts } from '#test/support/exports/slack.ts'
import { filesWith, formOf, placesIn, valueAt } from '#test/support/exports/variations.ts'

// Whatever people can read in a message of an export is in a message of the import, or the report counts it.

type Row = Readonly<Record<string, unknown>>

interface Example {
  readonly files: () => Files
  readonly options?: SourceOptions
  /** How many messages with words are left out or changed, which the report has to tell. */
  readonly lost: number
  /** The place of a message, as the beginning of that of a text in it. */
  readonly message: RegExp
  /** The names of what people read. */
  readonly names: RegExp
  /** Whether the other system shows something else in place of a text. @param row what it is a member of */
  isHidden?(name: string, row: Row): boolean
}

const say = (second: number, more: object) => ({ ts: ts(second), user: 'U1', text: '', ...more })
const plain = (text: string) => ({ type: 'plain_text', text })
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text })
const button = { type: 'button', text: plain('Open it'), url: 'https://a.example/open' }

/** Cards of apps, with all that people read, and with each part of it alone. */
const cards: readonly object[] = [
  {
    pretext: 'a',
    author_name: 'b',
    title: 'c',
    text: 'd',
    footer: 'e',
    fields: [{ title: 'f', value: 'g' }],
  },
  ...['pretext', 'author_name', 'title', 'text', 'footer'].map((name) => ({ [name]: 'alone' })),
  { author_name: 'b', author_link: 'https://a.example/b', image_url: 'https://a.example/i.png' },
]

/** Blocks and attachments of every kind, one in a message. */
const richRows = [
  say(1000, {
    blocks: [{ type: 'section', text: mrkdwn('a'), fields: [mrkdwn('b'), plain('c')] }],
  }),
  say(1001, { blocks: [{ type: 'header', text: plain('a head') }] }),
  say(1002, { blocks: [{ type: 'context', elements: [mrkdwn('a'), plain('b')] }] }),
  say(1003, { blocks: [{ type: 'section', text: mrkdwn('a'), accessory: button }] }),
  say(1004, { blocks: [{ type: 'actions', elements: [button, { ...button, url: undefined }] }] }),
  say(1005, {
    blocks: [
      {
        type: 'table',
        rows: [[{ type: 'raw_text', text: 'a' }], [{ type: 'raw_text', text: 'b' }]],
      },
    ],
  }),
  say(1006, {
    blocks: [
      {
        type: 'video',
        title: plain('a film'),
        title_url: 'https://a.example/v',
        description: plain('about it'),
      },
    ],
  }),
  say(1007, { blocks: [{ type: 'from_the_future', title: plain('a'), body: { text: 'b' } }] }),
  say(1008, { blocks: [{ type: 'image', title: plain('a'), image_url: 'https://a.example/i' }] }),
  say(1009, { attachments: [...cards, { fallback: 'only this' }] }),
  say(1010, {
    attachments: [{ is_share: true, author_name: 'Ann', text: 'shared', footer: 'there' }],
  }),
  say(1011, { attachments: [{ from_url: 'https://a.example/feed', title: 'a', text: 'b' }] }),
  say(1012, { files: [{ id: 'F9', title: 'a file', mode: 'hosted' }] }),
  say(1013, {
    subtype: 'file_comment',
    comment: { user: 'U1', comment: 'nice' },
    file: { id: 'F9', title: 'b' },
  }),
]

const examples: Readonly<Record<string, Example>> = {
  Slack: {
    files: () => ({
      ...slackExport('http://127.0.0.1:9'),
      'general/2024-03-04.json': JSON.stringify(richRows),
    }),
    lost: 6,
    message: /.*\/.*\.json \d+/,
    names: /^(?:text|fallback|title|pretext|value|footer|author_name|comment|description)$/,
    isHidden: (name, row) =>
      (name === 'text' && (row.blocks !== undefined || row.comment !== undefined)) ||
      // A time is shown in each reader's own words.
      (name === 'fallback' && row.type === 'date') ||
      // A preview of a page to which the text links.
      row.title === 'a preview',
  },
  Mattermost: {
    files: () => {
      const files = mattermostExport()
      const posts = [...cards, { fallback: 'only this' }].map((card, i) => ({
        type: 'post',
        post: {
          ...{ team: 'crew', channel: 'talk', user: 'olga', create_at: 1_709_283_700_000 + i },
          ...{ message: '', props: { attachments: [card] } },
        },
      }))
      const lines = posts.map((line) => `${JSON.stringify(line)}\n`).join('')
      return { ...files, 'import.jsonl': `${files['import.jsonl']}${lines}` }
    },
    options: { team: 'crew' },
    lost: 3,
    message: /jsonl \d+\.(?:direct_)?post(?:\.replies\.\d+)?/,
    names: /^(?:message|text|fallback|title|pretext|value|author_name|footer)$/,
  },
  Discord: {
    files: discordExport,
    lost: 3,
    message: /messages\.\d+/,
    names: /^(?:content|title|description|value|text)$/,
    // A preview of a page to which the text links.
    isHidden: (_, { url }) => typeof url === 'string' && url.includes('example.com'),
  },
  'Rocket.Chat': {
    files: () => {
      const files = rocketchatExport()
      const path = 'dump/rocketchat/rocketchat_message.bson'
      const quote = (inner: object) => ({
        ...{ message_link: 'https://chat.example.com/channel/talk?msg=m1', author_name: 'olga' },
        ...{ text: 'quoted', attachments: [inner] },
      })
      const messages = [...cards, ...cards.map(quote), quote(quote({ title: 'deep' }))].map(
        (attachment, i) => ({
          ...{ _id: `card${i}`, rid: 'rtalk', u: { _id: 'uolga', username: 'olga' }, msg: '' },
          ...{ ts: new Date(1_709_283_700_000 + i), attachments: [attachment] },
        }),
      )
      return { ...files, [path]: Buffer.concat([files[path] as Buffer, bsonOf(...messages)]) }
    },
    lost: 8,
    message: /rocketchat_message\.bson \d+/,
    names: /^(?:msg|text|title|pretext|description|value|alias|author_name|footer)$/,
    // The name of a file, which the file has as well.
    isHidden: (name, { title_link: link }) =>
      name === 'title' && typeof link === 'string' && link.startsWith('/file-upload/'),
  },
}

/** Parts of messages that are not what they should be; each comes with something that is. */
const damaged: Readonly<Record<string, readonly [Files, number]>> = {
  Slack: [
    {
      'users.json': JSON.stringify([{ id: 'U1', name: 'ann' }]),
      'channels.json': JSON.stringify([{ id: 'C1', name: 'general' }]),
      'general/2024-03-04.json': JSON.stringify([
        say(1, { text: ['a'], attachments: [null, { text: 'b' }] }),
        say(2, {
          blocks: [
            { type: 'section', text: { type: 'mrkdwn', text: ['a'] }, fields: [7] },
            { type: 'context', elements: [{ type: 'image', alt_text: 'a' }, { text: { a: 'a' } }] },
            {
              type: 'rich_text',
              elements: [
                {
                  type: 'rich_text_section',
                  elements: [{ type: 'text', text: 'b' }, { text: 'a' }],
                },
                { type: 'rich_text_section', elements: [{ type: 'text', text: 7 }] },
                { elements: [{ type: 'text', text: 'a' }] },
                { type: 'rich_text_list', elements: [{ elements: [{ type: 'text', text: 'a' }] }] },
              ],
            },
          ],
        }),
        say(3, {
          blocks: [
            {
              type: 'table',
              rows: [[7, { type: 'raw_text', text: ['a'] }, { type: 'raw_text', text: 'b' }], 7],
            },
          ],
        }),
        say(4, { text: 'b', reactions: [7, { name: 'wave', users: ['U1'] }] }),
        say(5, { attachments: [{ text: 'b', fields: [{ title: 'a', value: { a: 'a' } }] }] }),
        say(6, { text: 'b', blocks: [{ type: 'actions', elements: [7] }] }),
      ]),
    },
    13,
  ],
  Mattermost: [
    {
      'a.jsonl': [
        { type: 'version', version: 1 },
        { type: 'team', team: { name: 'crew' } },
        { type: 'channel', channel: { team: 'crew', name: 'talk', type: 'O' } },
        {
          type: 'post',
          post: {
            ...{ team: 'crew', channel: 'talk', user: 'ann', create_at: 1, message: ['a'] },
            props: { attachments: [null, { text: 'b' }] },
          },
        },
        {
          type: 'post',
          post: {
            ...{ team: 'crew', channel: 'talk', user: 'ann', create_at: 2, message: 'b' },
            reactions: [{ user: 'ann' }],
          },
        },
        {
          type: 'post',
          post: {
            ...{ team: 'crew', channel: 'talk', user: 'ann', create_at: 3, message: 'b' },
            // As apps write them: a number is no damage.
            props: { attachments: [{ fields: [{ title: 'load', value: 7 }, { value: true }] }] },
          },
        },
      ]
        .map((line) => JSON.stringify(line))
        .join('\n'),
    },
    2,
  ],
  Discord: [
    {
      'a.json': JSON.stringify({
        guild: { id: '1' },
        channel: { id: '2', type: 'GuildTextChat', name: 'a' },
        messages: [
          {
            ...{ id: '5', timestamp: '2024-03-01T00:00:00Z', type: 'Default', author: { id: '3' } },
            ...{ content: { text: 'a' }, embeds: [null, { description: 'b' }] },
          },
          {
            ...{ id: '6', timestamp: '2024-03-01T00:00:01Z', type: 'Default', author: { id: '3' } },
            embeds: [{ fields: [{ name: 'b', value: ['a'] }] }],
          },
        ],
      }),
    },
    2,
  ],
  'Rocket.Chat': [
    {
      'users.bson': bsonOf({ _id: 'u1', username: 'ann' }),
      'rocketchat_room.bson': bsonOf({ _id: 'r1', t: 'c', name: 'general' }),
      'rocketchat_message.bson': bsonOf(
        ...[
          { msg: 7, attachments: [null, { text: 'b' }] },
          { msg: 'b', starred: 7 },
        ].map((more, i) => ({
          ...{ _id: `m${i}`, rid: 'r1', ts: new Date(Date.UTC(2024, 2, 1, 0, 0, i)) },
          ...{ u: { _id: 'u1', username: 'ann' }, ...more },
        })),
      ),
    },
    2,
  ],
}

for (const [name, [files, count]] of Object.entries(damaged)) {
  test(`parts of messages of ${name} that are not what they should be are counted`, async () => {
    const owner = { email: 'founder@owner.example.org', fullName: 'Fia Founder' }
    const imported = await importFiles(files, { owner, isTrial: true })
    try {
      const changed = imported.report.tables.messages?.changed['bad-value']?.count
      const texts = imported.rows('SELECT content FROM messages')
      assert.equal(changed, count)
      assert.ok(texts.length > 0 && texts.every(({ content }) => String(content).includes('b')))
    } finally {
      imported.close()
    }
  })
}

const sum = (counts: Readonly<Record<string, { readonly count: number }>> = {}) =>
  Object.values(counts).reduce((total, { count }) => total + count, 0)

for (const [name, { files, isHidden, lost: expected, message, names, options }] of Object.entries(
  examples,
)) {
  test(`all words of messages of ${name} are written or counted`, async () => {
    const original = files()
    const documents: Record<string, unknown> = {}
    /** The messages, by the words that were added to their texts. */
    const added = new Map<string, string>()
    for (const [path, body] of Object.entries(original)) {
      const document = await formOf(path)?.parse(body)
      if (document === undefined) continue
      documents[path] = document
      for (const place of placesIn(document)) {
        const text = valueAt(document, place)
        const [own] = message.exec(`${path} ${place.join('.')}`) ?? []
        const member = String(place.at(-1))
        if (typeof text !== 'string' || own === undefined || !names.test(member)) continue
        const row = valueAt(document, place.slice(0, -1)) as Record<string, unknown>
        if (text === '' || isHidden?.(member, row)) continue
        const word = `qz${added.size}zq`
        added.set(word, `${path} ${place.join('.')}`)
        row[member] = `${text} ${word}`
      }
    }
    const imported = await importFiles(filesWith(original, documents), {
      ...(options && { source: options }),
      owner: { email: 'founder@owner.example.org', fullName: 'Fia Founder' },
      isTrial: true,
    })
    try {
      const rows = imported.rows('SELECT content FROM messages')
      const written = rows.map(({ content }) => String(content)).join('\n')
      const lost = [...added].filter(([word]) => !written.includes(word))
      const messages = new Set(lost.map(([, place]) => message.exec(place)?.[0]))
      const { changed, skipped } = imported.report.tables.messages ?? {}
      const places = lost.map(([word, place]) => `${word} ${place}`).join('\n')
      assert.equal(messages.size, expected, places)
      assert.ok(messages.size <= sum(changed) + sum(skipped), places)
    } finally {
      imported.close()
    }
  })
}
