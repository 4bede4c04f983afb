import * as v from 'valibot'
import { jsonLines } from '#features/organization/imports/reading/lines.ts'
import {
  anything,
  listOf,
  parseRow,
  words,
} from '#features/organization/imports/reading/schemas.ts'
import type { Reading } from '#features/organization/imports/source.ts'

/*
 * The lines of Mattermost's bulk export, as far as they are read: `{type, <type>: {…}}`. People are known by
 * their user names, channels by the names in their addresses; times are milliseconds since the epoch.
 *
 * @source Mattermost, "Bulk loading data"
 */

const text = v.fallback(v.optional(v.string(), ''), '')
const flag = v.fallback(v.optional(v.boolean(), false), false)
const time = v.fallback(v.optional(v.number(), 0), 0)
const name = v.pipe(v.string(), v.minLength(1), v.maxLength(100), v.toLowerCase())

const channelMembership = v.looseObject({
  name,
  favorite: flag,
  notify_props: v.fallback(v.optional(v.looseObject({ mark_unread: text })), undefined),
})

const attachment = v.looseObject({
  pretext: text,
  author_name: text,
  author_link: text,
  title: text,
  title_link: text,
  text,
  fallback: text,
  fields: listOf(v.looseObject({ title: words, value: words })),
  image_url: text,
  footer: text,
  actions: anything,
})

const props = v.looseObject({
  attachments: listOf(attachment),
  from_webhook: v.optional(v.unknown()),
  override_username: text,
})

const parts = {
  user: name,
  type: text,
  message: text,
  create_at: v.number(),
  edit_at: time,
  flagged_by: listOf(name),
  reactions: listOf(v.looseObject({ user: name, emoji_name: v.string() })),
  attachments: listOf(v.looseObject({ path: v.string() })),
  props: v.fallback(v.optional(props), undefined),
}
const reply = v.looseObject(parts)
export type ReplyRow = v.InferOutput<typeof reply>
const replies = listOf(v.unknown())
const withReplies = v.looseObject({ replies })

const schemas = {
  version: v.number(),
  team: v.looseObject({ name, display_name: text, description: text }),
  channel: v.looseObject({
    team: name,
    name,
    display_name: text,
    type: text,
    header: text,
    purpose: text,
    delete_at: time,
    deleted_at: time,
  }),
  user: v.looseObject({
    username: name,
    email: text,
    nickname: text,
    first_name: text,
    last_name: text,
    position: text,
    roles: text,
    delete_at: time,
    profile_image: text,
    teams: listOf(v.looseObject({ name, roles: text, channels: listOf(channelMembership) })),
  }),
  bot: v.looseObject({ username: name, display_name: text, owner: text, delete_at: time }),
  emoji: v.looseObject({ name: v.string(), image: text }),
  post: v.looseObject({ ...parts, team: name, channel: name, is_pinned: flag, replies }),
  direct_channel: v.looseObject({
    members: listOf(name),
    participants: listOf(v.looseObject({ username: name })),
  }),
  direct_post: v.looseObject({ ...parts, channel_members: listOf(name), is_pinned: flag, replies }),
}
type Schemas = typeof schemas
export type UserRow = v.InferOutput<Schemas['user']>
export type PostRow = v.InferOutput<Schemas['post']>
export type DirectPostRow = v.InferOutput<Schemas['direct_post']>

export type Line = {
  readonly [N in keyof Schemas]: {
    readonly type: N
    readonly row: v.InferOutput<Schemas[N]>
    /** Counts from 1; the only ID of a post, together with the file. */
    readonly number: number
  }
}[keyof Schemas]

type Bad = (
  reason: Parameters<Reading['notes']['skipped']>[1],
  example: string,
  count?: number,
) => void

/**
 * Reads the lines of these kinds one by one; unusable ones are reported to `bad`.
 *
 * @param unknown gets lines of no kind, or of one that no export has had so far: their types, or else
 *   their numbers, and how many texts of messages they have
 */
export async function* linesOf(
  { archive }: Pick<Reading, 'archive'>,
  path: string,
  kinds: readonly Line['type'][],
  bad: Bad,
  unknown: (type: string, texts: number) => void = () => {},
): AsyncGenerator<Line> {
  let number = 0
  for await (const value of jsonLines(archive.read(path), { bad: (reason) => bad(reason, path) })) {
    number++
    const { type } = (value ?? {}) as { type?: unknown }
    const kind = kinds.find((each) => each === type)
    if (kind === undefined) {
      if (typeof type !== 'string') unknown(`line ${number}`, textsIn(value))
      else if (!Object.hasOwn(schemas, type)) unknown(type, textsIn(value))
      continue
    }
    const row = (value as Record<string, unknown>)[kind]
    const found = parseRow(schemas[kind], row)
    if (found) yield { type: kind, row: found, number } as Line
    else bad('bad-value', `${kind} ${number}`, Math.max(countIn(row), textsIn(value)))
  }
}

/** How many things a line has: a post is lost with its replies. */
function countIn(row: unknown): number {
  const found = v.safeParse(withReplies, row)
  return 1 + (found.success ? found.output.replies.length : 0)
}

/** How many texts of messages a value has, however deep. */
function textsIn(value: unknown): number {
  let count = 0
  // Not by recursion: a line may be deeper than the stack.
  for (const left = [value]; left.length > 0; ) {
    for (const [name, each] of Object.entries(left.pop() ?? {})) {
      if (name === 'message' && typeof each === 'string' && each !== '') count++
      else if (typeof each === 'object') left.push(each)
    }
  }
  return count
}

/** A reply inside a post; undefined: it is none. */
export function replyOf(value: unknown): ReplyRow | undefined {
  return parseRow(reply, value)
}
