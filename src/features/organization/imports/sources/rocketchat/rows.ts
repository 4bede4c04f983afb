import { basename, dirname } from 'node:path/posix'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import * as v from 'valibot'
import { requireHarmless } from '#features/organization/imports/archive/expansion.ts'
import { unpacked } from '#features/organization/imports/archive/unpacking.ts'
import { bsonDocuments } from '#features/organization/imports/reading/bson.ts'
import {
  anything,
  isDamaged,
  listOf,
  parseRow,
  words,
} from '#features/organization/imports/reading/schemas.ts'
import type { Table } from '#features/organization/imports/report.ts'
import type { Reading } from '#features/organization/imports/source.ts'

/*
 * The documents of Rocket.Chat's database, as far as they are read; much of them may be missing.
 *
 * @source Rocket.Chat, packages/core-typings
 */

const text = v.fallback(v.optional(v.string(), ''), '')
const flag = v.fallback(v.optional(v.boolean(), false), false)
const id = v.pipe(v.string(), v.minLength(1), v.maxLength(150))
const date = v.fallback(v.optional(v.date()), undefined)
const inside = <T extends v.ObjectEntries>(members: T) =>
  v.fallback(v.optional(v.looseObject(members)), undefined)
const person = inside({ _id: text, username: text, name: text })

const attachment = v.looseObject({
  title: text,
  title_link: text,
  text,
  pretext: text,
  description: text,
  author_name: text,
  author_link: text,
  message_link: text,
  image_url: text,
  footer: text,
  fields: listOf(v.looseObject({ title: words, value: words })),
  actions: anything,
  /** Those of the message that is quoted. */
  attachments: anything,
})
export type AttachmentRow = v.InferOutput<typeof attachment>

/** The attachments of a message that is quoted. */
export const attachmentsIn = ({ attachments }: AttachmentRow): AttachmentRow[] =>
  attachments.flatMap((each) => parseRow(attachment, each) ?? [])

const file = v.looseObject({ _id: id, name: text })

export const schemas = {
  rocketchat_settings: v.looseObject({ _id: id, value: v.unknown() }),
  users: v.looseObject({
    _id: id,
    username: text,
    name: text,
    nickname: text,
    bio: text,
    emails: listOf(v.looseObject({ address: text })),
    type: text,
    active: v.fallback(v.optional(v.boolean(), true), true),
    roles: listOf(v.string()),
    createdAt: date,
    __rooms: listOf(id),
  }),
  rocketchat_room: v.looseObject({
    _id: id,
    t: text,
    name: text,
    fname: text,
    topic: text,
    description: text,
    u: person,
    ts: date,
    uids: listOf(id),
    usernames: listOf(v.string()),
    prid: text,
    teamMain: flag,
    ro: flag,
    archived: flag,
    default: flag,
  }),
  rocketchat_subscription: v.looseObject({
    rid: id,
    u: v.looseObject({ _id: id }),
    f: flag,
    alert: flag,
    ls: date,
    disableNotifications: flag,
  }),
  rocketchat_message: v.looseObject({
    _id: id,
    rid: text,
    msg: text,
    ts: date,
    u: person,
    t: text,
    alias: text,
    tmid: text,
    tcount: v.fallback(v.optional(v.number(), 0), 0),
    editedAt: date,
    pinned: flag,
    _hidden: flag,
    starred: listOf(v.looseObject({ _id: id })),
    reactions: v.fallback(
      v.optional(v.record(v.string(), v.looseObject({ usernames: listOf(v.string()) })), {}),
      {},
    ),
    attachments: listOf(attachment),
    blocks: anything,
    file: v.fallback(v.optional(file), undefined),
    files: listOf(file),
  }),
  rocketchat_custom_emoji: v.looseObject({
    _id: id,
    name: text,
    extension: text,
    aliases: listOf(v.string()),
  }),
  rocketchat_uploads: v.looseObject({
    _id: id,
    name: text,
    type: text,
    size: v.fallback(v.optional(v.number(), 0), 0),
    userId: text,
    uploadedAt: date,
  }),
  rocketchat_avatars: v.looseObject({ _id: id, userId: text }),
  chunk: v.looseObject({
    files_id: id,
    n: v.number(),
    data: v.instance(Uint8Array),
  }),
} as const

export type Kind = keyof typeof schemas
export type Row<K extends Kind> = v.InferOutput<(typeof schemas)[K]>

/**
 * The path of a collection's file, whatever the folders around it; dumps may be packed one by one. It
 * is beside the rooms: other databases of the same dump have people too.
 */
export function pathOf({ archive }: Pick<Reading, 'archive'>, collection: string) {
  const rooms = archive.paths.find((path) => /(?:^|\/)rocketchat_room\.bson(?:\.gz)?$/.test(path))
  const names = [`${collection}.bson`, `${collection}.bson.gz`]
  return archive.paths.find(
    (path) =>
      names.includes(basename(path)) && (rooms === undefined || dirname(path) === dirname(rooms)),
  )
}

/** Reads the documents of a collection, which may be missing. @param table where to count bad ones */
export async function* rowsOf<K extends Kind>(
  reading: Reading,
  kind: K,
  table: Table | undefined,
  collection: string = kind,
): AsyncGenerator<Row<K>> {
  const path = pathOf(reading, collection)
  if (path === undefined) return
  const { notes } = reading
  const documents = bsonDocuments(bytesOf(reading, path), (reason) => {
    if (table) notes.skipped(table, reason, path)
  })
  for await (const document of documents) {
    const row = parseRow(schemas[kind], document)
    // A message counts where it is written.
    if (row && table && table !== 'messages' && isDamaged(row)) {
      notes.changed(table, 'bad-value', path)
    }
    if (row) yield row as Row<K>
    else if (table) notes.skipped(table, 'bad-value', path)
  }
}

/** @throws BAD_REQUEST it is damaged, or expands beyond all measure */
async function* bytesOf({ archive }: Reading, path: string): AsyncGenerator<Uint8Array> {
  if (!path.endsWith('.gz')) {
    yield* archive.read(path)
    return
  }
  let length = 0
  for await (const part of unpacked(Readable.from(archive.read(path)), createGunzip(), path)) {
    length += part.length
    requireHarmless(archive.size(path), length, 'data')
    yield part
  }
}
