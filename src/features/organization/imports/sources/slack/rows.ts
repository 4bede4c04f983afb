import * as v from 'valibot'
import { jsonRows } from '#features/organization/imports/reading/json-rows.ts'
import {
  anything,
  isDamaged,
  listOf,
  parseRow,
} from '#features/organization/imports/reading/schemas.ts'
import type { Table } from '#features/organization/imports/report.ts'
import type { Reading } from '#features/organization/imports/source.ts'

/*
 * The rows of Slack's export, as far as they are read; they have further members. Times are seconds since
 * the epoch, those of messages as text with six digits after the point, which makes them IDs.
 *
 * @source Slack, "How to read Slack data exports"; the Web API's objects
 */

const text = v.fallback(v.optional(v.string(), ''), '')
const maybe = v.fallback(v.optional(v.string()), undefined)
const flag = v.fallback(v.optional(v.boolean(), false), false)
/** Old exports have texts in place of numbers. */
const time = v.fallback(
  v.optional(
    v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,15}(\.\d+)?$/), v.transform(Number))]),
  ),
  undefined,
)
const id = v.pipe(v.string(), v.minLength(1), v.maxLength(150))
const people = listOf(id)
const inside = v.fallback(v.optional(v.looseObject({ value: text })), undefined)

const profile = v.looseObject({
  real_name: text,
  display_name: text,
  email: maybe,
  title: text,
  phone: text,
  bot_id: maybe,
  image_original: maybe,
  fields: v.fallback(
    v.optional(v.record(v.string(), v.looseObject({ value: text, label: text }))),
    undefined,
  ),
})

export const user = v.looseObject({
  id,
  name: text,
  real_name: text,
  deleted: flag,
  is_primary_owner: flag,
  is_owner: flag,
  is_admin: flag,
  is_restricted: flag,
  is_ultra_restricted: flag,
  is_bot: flag,
  tz: text,
  profile: v.fallback(v.optional(profile), undefined),
})
export type UserRow = v.InferOutput<typeof user>

export const conversation = v.looseObject({
  id,
  name: text,
  created: time,
  creator: maybe,
  is_archived: flag,
  is_general: flag,
  members: people,
  topic: inside,
  purpose: inside,
})

export const file = v.looseObject({
  id: maybe,
  name: maybe,
  title: maybe,
  mimetype: maybe,
  mode: text,
  file_access: text,
  is_external: flag,
  url_private: maybe,
  url_private_download: maybe,
  size: v.fallback(v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))), undefined),
  user: maybe,
  created: time,
})
export type FileRow = v.InferOutput<typeof file>

export const attachment = v.looseObject({
  pretext: text,
  title: text,
  title_link: text,
  text: text,
  fallback: text,
  author_name: text,
  author_link: text,
  footer: text,
  from_url: text,
  original_url: text,
  app_unfurl_url: text,
  image_url: text,
  is_share: flag,
  is_msg_unfurl: flag,
  fields: listOf(v.looseObject({ title: text, value: text })),
  actions: anything,
  files: listOf(v.fallback(v.nullable(file), null)),
  blocks: anything,
})

const sender = v.looseObject({ name: text, real_name: text, display_name: text })

export const message = v.looseObject({
  ts: v.string(),
  subtype: text,
  hidden: flag,
  user: maybe,
  bot_id: maybe,
  username: text,
  text,
  thread_ts: maybe,
  reply_count: v.fallback(v.optional(v.number(), 0), 0),
  replies: anything,
  blocks: anything,
  attachments: listOf(attachment),
  files: listOf(v.fallback(v.nullable(file), null)),
  file: v.fallback(v.optional(file), undefined),
  reactions: listOf(v.looseObject({ name: v.string(), users: people })),
  pinned_to: anything,
  edited: v.fallback(v.optional(v.looseObject({ ts: text })), undefined),
  comment: v.fallback(v.optional(v.looseObject({ user: maybe, comment: text })), undefined),
  room: v.fallback(
    v.optional(v.looseObject({ created_by: maybe, participant_history: people })),
    undefined,
  ),
  bot_profile: v.fallback(v.optional(sender), undefined),
  user_profile: v.fallback(v.optional(sender), undefined),
})
export type MessageRow = v.InferOutput<typeof message>

/** Reads the rows of a file that is one list; rows that are not as they should be are skipped. */
export async function* rowsOf<S extends v.GenericSchema>(
  { archive, notes }: Reading,
  path: string,
  table: Table,
  schema: S,
): AsyncGenerator<v.InferOutput<S>> {
  if (!archive.has(path)) return
  const rows = jsonRows(archive.read(path), {
    bad: (reason) =>
      reason === 'bad-encoding'
        ? notes.changed(table, reason, path)
        : notes.skipped(table, reason, path),
  })
  for await (const { value } of rows) {
    // A list of nothing may have an empty text in it.
    if (value === '') continue
    const row = parseRow(schema, value)
    // A message counts where it is written.
    if (row && table !== 'messages' && isDamaged(row)) notes.changed(table, 'bad-value', path)
    if (row) yield row
    else notes.skipped(table, 'bad-value', path)
  }
}

/** The time of a message, in seconds; undefined: that is none. */
export function timeOf(ts: string): number | undefined {
  return /^\d{9,11}(\.\d{1,6})?$/.test(ts) ? Number(ts) : undefined
}
