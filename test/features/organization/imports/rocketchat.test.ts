import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { bsonDocuments } from '#features/organization/imports/reading/bson.ts'
import { bsonOf, mongoArchiveOf, RawBson } from '#test/support/exports/bson.ts'
import { dumpOf } from '#test/support/exports/dump.ts'
import { importFiles } from '#test/support/exports/importing.ts'
import { itemsOf } from '#test/support/exports/items.ts'
import { isRead } from '#test/support/exports/read.ts'
import { rocketchatExport } from '#test/support/exports/rocketchat.ts'
import { assertLinear } from './linear.ts'

const messagesFile = 'dump/rocketchat/rocketchat_message.bson'

test('an export with every construct becomes what it should', async () => {
  const made = await importFiles(rocketchatExport())
  try {
    const expected = new URL('../../../support/exports/rocketchat.txt', import.meta.url)
    assert.equal(dumpOf(made), readFileSync(expected, 'utf8'))
    const avatars = made.rows("SELECT full_name AS name FROM users WHERE avatar_hash <> ''")
    assert.deepEqual(avatars, [{ name: 'Olga Owner' }])
    const [gus] = made.rows("SELECT id FROM users WHERE full_name = 'Gus'")
    const read = made
      .rows("SELECT id FROM messages WHERE topic = 'imported from Rocket.Chat' ORDER BY id LIMIT 2")
      .map(({ id }) => isRead(made.db, Number(gus?.id), Number(id)))
    assert.deepEqual(read, [true, false], 'Gus looked between the two')
  } finally {
    made.close()
  }
})

test('replies stay in the main topic if nobody wants threads, and discussions are topics still', async () => {
  const { items } = await itemsOf(rocketchatExport(), { noThreads: true })
  const threads = items.flatMap((item) => (item.type === 'thread' ? [item.title] : []))
  assert.deepEqual(threads, ['What about lunch?', 'And dinner?'])
})

test('a dump whose collections are packed one by one is the same', async () => {
  const plain = rocketchatExport()
  const packed = Object.fromEntries(
    Object.entries(plain).map(([path, body]) => [`${path}.gz`, gzipSync(body)]),
  )
  const [a, b] = [await itemsOf(plain), await itemsOf(packed)]
  assert.deepEqual(
    b.items.map(({ type }) => type),
    a.items.map(({ type }) => type),
  )
})

describe('a dump as one archive', () => {
  const root = mkdtempSync(join(tmpdir(), 'parley-mongo-'))
  after(() => rmSync(root, { recursive: true, force: true }))
  const collections = Object.fromEntries(
    Object.entries(rocketchatExport()).flatMap(([path, body]) => {
      const [, name] = /dump\/(.*)\.bson$/.exec(path) ?? []
      return name === undefined ? [] : [[name, documentsIn(Buffer.from(body))]]
    }),
  )
  const importFrom = async (name: string, body: Uint8Array) => {
    const from = join(root, name)
    writeFileSync(from, body)
    return await importFiles({}, { from })
  }
  // Beside another database, files have the name of theirs before their own.
  const dumpWithout = (text: string) =>
    text.replaceAll('rocketchat/', '').replace(/^other: 0\n( {2}skipped unread-file.*\n)?/m, '')
  const shapes: Readonly<Record<string, () => Buffer>> = {
    'collections in turns': () => mongoArchiveOf(collections),
    'a document at a time': () => mongoArchiveOf(collections, 1),
    'one collection after the other': () => mongoArchiveOf(collections, 1000),
    'empty collections and another database': () =>
      mongoArchiveOf({
        'admin/system.version': [],
        ...collections,
        'shop/users': [bsonOf({ _id: 's' })],
      }),
  }
  for (const [shape, make] of Object.entries(shapes)) {
    for (const [packing, pack] of [
      ['plain', (bytes: Buffer) => bytes],
      ['gzipped', (bytes: Buffer) => gzipSync(bytes)],
    ] as const) {
      test(`with ${shape}, ${packing}, is the same as a folder`, async () => {
        const [one, folder] = [
          await importFrom('db.dump', pack(make())),
          await importFiles(rocketchatExport()),
        ]
        try {
          assert.equal(dumpWithout(dumpOf(one)), dumpWithout(dumpOf(folder)))
        } finally {
          one.close()
          folder.close()
        }
      })
    }
  }
  test('is refused wherever it is cut off', async () => {
    const bytes = mongoArchiveOf(collections, 1)
    for (const share of [0.1, 0.3, 0.5, 0.7, 0.99]) {
      const cut = bytes.subarray(0, Math.floor(bytes.length * share))
      await assert.rejects(importFrom('cut.dump', cut), /damaged or cut off/)
    }
    const beforeEnd = bytes.subarray(
      0,
      bytes.lastIndexOf(bsonOf({ db: 'rocketchat' }).subarray(4, 20)) - 4,
    )
    await assert.rejects(importFrom('cut.dump', beforeEnd), /damaged or cut off/)
  })
})

/** The bytes of each document of a collection. */
function documentsIn(bytes: Buffer): Buffer[] {
  const found: Buffer[] = []
  for (let at = 0; at < bytes.length; at += found.at(-1)?.length ?? bytes.length) {
    found.push(bytes.subarray(at, at + bytes.readInt32LE(at)))
  }
  return found
}

test('a dump that lacks what has to be there says what', async () => {
  const { [messagesFile]: _, ...rest } = rocketchatExport()
  await assert.rejects(itemsOf(rest), /no file rocketchat_message\.bson/)
})

describe('a collection that is cut off or damaged', () => {
  const whole = Buffer.from(rocketchatExport()[messagesFile] ?? '')
  test('gives what is before that, and says so', async () => {
    const cut = { ...rocketchatExport(), [messagesFile]: whole.subarray(0, whole.length - 100) }
    const { items, report } = await itemsOf(cut)
    assert.ok(items.some((item) => item.type === 'message'))
    assert.deepEqual(report.messages?.skipped['cut-off'], {
      count: 1,
      examples: ['rocketchat_message.bson'],
    })
  })

  async function read(bytes: Uint8Array, size = 7) {
    const bad: string[] = []
    const parts = (async function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    })()
    const documents = []
    for await (const each of bsonDocuments(parts, (reason) => bad.push(reason)))
      documents.push(each)
    return { bad, documents }
  }

  test('every type of BSON is read or passed over', async () => {
    const value = {
      a: 'ä',
      b: 1.5,
      c: { d: [1, 'x', null] },
      e: true,
      f: new Date(5),
      g: 2n ** 40n,
      h: Buffer.from('bytes'),
      __proto: 1,
    }
    const others = {
      i: new RawBson(0x07, Buffer.alloc(12, 0xab)),
      j: new RawBson(0x0b, Buffer.from('a\0i\0')),
      k: new RawBson(0x11, Buffer.alloc(8)),
      l: new RawBson(0x13, Buffer.alloc(16)),
      m: new RawBson(0xff, Buffer.alloc(0)),
      n: 'last',
    }
    const { bad, documents } = await read(bsonOf({ ...value, ...others }, {}))
    assert.deepEqual(bad, [])
    assert.deepEqual(documents, [
      {
        ...value,
        g: 2 ** 40,
        i: 'ab'.repeat(12),
        j: undefined,
        k: undefined,
        l: undefined,
        m: undefined,
        n: 'last',
      },
      {},
    ])
  })

  test('lengths that lie lead nowhere', async () => {
    const good = bsonOf({ a: 'x' })
    const huge = Buffer.from(good)
    huge.writeInt32LE(2 ** 30, 0)
    const inner = Buffer.from(good)
    inner.writeInt32LE(1000, 7)
    let deep: object = {}
    for (let n = 0; n < 200; n++) deep = { a: deep }
    assert.deepEqual(await read(Buffer.concat([good, huge])), {
      bad: ['cut-off'],
      documents: [{ a: 'x' }],
    })
    assert.deepEqual(await read(Buffer.concat([inner, good])), {
      bad: ['bad-value'],
      documents: [{ a: 'x' }],
    })
    assert.deepEqual(await read(Buffer.concat([bsonOf(deep), good])), {
      bad: ['bad-value'],
      documents: [{ a: 'x' }],
    })
    assert.deepEqual((await read(Buffer.alloc(100))).bad, ['cut-off'])
    for (let n = 0; n < 300; n++) {
      const noise = Buffer.from(Array.from({ length: 60 }, (_, i) => (n * 131 + i * i * 7) % 256))
      noise.writeInt32LE(60, 0)
      await read(noise)
    }
  })
})

test('a file that only an attachment names is there, but not one that a quote shows', async () => {
  const file = { title: 'plan.txt', title_link: '/file-upload/f1/plan.txt' }
  const message_link = 'https://chat.example.com/channel/talk?msg=m1'
  const attachments = [[file], [{ message_link, text: 'see', attachments: [file] }]]
  const { items } = await itemsOf({
    ...rocketchatExport(),
    [messagesFile]: bsonOf(
      ...attachments.map((each, i) => ({
        ...{ _id: `m${i}`, rid: 'rtalk', msg: '', u: { _id: 'uben' }, attachments: each },
        ts: new Date(1_709_283_600_000 + i),
      })),
    ),
  })
  const texts = items.flatMap((item) => (item.type === 'message' ? [item.content] : []))
  assert.deepEqual(texts, [[{ file: 'f1', text: 'plan.txt' }], '> see\n> plan.txt'])
})

test('markup takes work in proportion to its length, whatever it is', async () => {
  for (const piece of [
    '*a',
    '_a',
    '__a',
    '~a',
    '`',
    '```',
    '@a',
    '@a.',
    '#a',
    ':a',
    '[',
    '[a](',
    '](',
    '![',
  ]) {
    await assertLinear(piece, (msg) =>
      itemsOf({
        'users.bson': bsonOf({ _id: 'u', username: 'u' }),
        'rocketchat_room.bson': bsonOf({ _id: 'r', t: 'c', name: 'r' }),
        'rocketchat_message.bson': bsonOf({
          _id: 'm',
          rid: 'r',
          msg,
          ts: new Date(1_709_283_600_000),
          u: { _id: 'u' },
        }),
      }),
    )
  }
})
