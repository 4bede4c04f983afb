import * as v from 'valibot'
import { jsonRows } from '#features/organization/imports/reading/json-rows.ts'
import { listOf, parseRow } from '#features/organization/imports/reading/schemas.ts'
import type { Reading } from '#features/organization/imports/source.ts'

/**
 * The parts of DiscordChatExporter's files that are read. IDs are text, times ISO 8601 in the
 * exporter's zone, addresses of pictures and files paths beside the file if they were downloaded.
 *
 * @source DiscordChatExporter, its JSON format
 */

const text = v.fallback(v.optional(v.string(), ''), '')
const flag = v.fallback(v.optional(v.boolean(), false), false)
const id = v.pipe(v.string(), v.minLength(1), v.maxLength(40))

/** A kind by its name; some exporters write Discord's number of it. */
const kind = (names: Readonly<Record<number, string>>) =>
  v.pipe(
    v.fallback(v.optional(v.union([v.string(), v.number()]), ''), ''),
    v.transform((value) => names[value === '' ? Number.NaN : Number(value)] ?? String(value)),
  )

const channelKind = kind({
  0: 'GuildTextChat',
  1: 'DirectTextChat',
  2: 'GuildVoiceChat',
  3: 'DirectGroupTextChat',
  5: 'GuildNews',
  10: 'GuildNewsThread',
  11: 'GuildPublicThread',
  12: 'GuildPrivateThread',
})
const messageKind = kind({
  0: 'Default',
  19: 'Reply',
  20: 'ChatInputCommand',
  21: 'ThreadStarterMessage',
  23: 'ContextMenuCommand',
})

const guild = v.looseObject({ id, name: text, iconUrl: text })
export type GuildRow = v.InferOutput<typeof guild>

const channel = v.looseObject({
  id,
  type: channelKind,
  categoryId: text,
  category: text,
  name: text,
  topic: text,
})
export type ChannelRow = v.InferOutput<typeof channel>

const person = v.looseObject({
  id,
  name: text,
  nickname: text,
  isBot: flag,
  avatarUrl: text,
  roles: listOf(v.looseObject({ id, name: text })),
})
export type PersonRow = v.InferOutput<typeof person>

const emoji = v.looseObject({ id: text, name: text, code: text, imageUrl: text })
export type EmojiRow = v.InferOutput<typeof emoji>

const part = <T extends v.ObjectEntries>(entries: T) =>
  v.fallback(v.nullish(v.looseObject(entries)), undefined)
const media = part({ url: text })
const embed = v.looseObject({
  title: text,
  url: text,
  description: text,
  author: part({ name: text, url: text }),
  fields: listOf(v.looseObject({ name: text, value: text })),
  thumbnail: media,
  video: media,
  /** The first of `images`, which older exporters do not have. */
  image: media,
  images: listOf(v.looseObject({ url: text })),
  footer: part({ text }),
})
export type EmbedRow = v.InferOutput<typeof embed>

const attachment = v.looseObject({ id: text, url: text, fileName: text })
const parts = {
  content: text,
  attachments: listOf(attachment),
  stickers: listOf(v.looseObject({ id: text, name: text, sourceUrl: text })),
  embeds: listOf(embed),
}

const message = v.looseObject({
  id,
  type: messageKind,
  timestamp: v.string(),
  timestampEdited: v.fallback(v.nullish(v.string()), undefined),
  isPinned: flag,
  author: person,
  ...parts,
  reactions: listOf(
    v.looseObject({
      emoji,
      count: v.fallback(v.optional(v.number(), 0), 0),
      users: listOf(person),
    }),
  ),
  mentions: listOf(person),
  inlineEmojis: listOf(emoji),
  reference: v.fallback(v.nullish(v.looseObject({ messageId: text })), undefined),
  forwardedMessage: v.fallback(v.nullish(v.looseObject(parts)), undefined),
})
export type MessageRow = v.InferOutput<typeof message>

const schemas = { guild, channel, messages: message }

type Part = {
  readonly [N in keyof typeof schemas]: {
    readonly list: N
    readonly row: v.InferOutput<(typeof schemas)[N]>
  }
}[keyof typeof schemas]

/**
 * The parts of a channel's file: the guild, the channel, and its messages one by one.
 *
 * @param bad gets why a part is not usable, and which list it is in, if that is known
 */
export async function* partsOf(
  { archive }: Pick<Reading, 'archive'>,
  path: string,
  bad: (reason: Parameters<Reading['notes']['skipped']>[1], list?: string) => void,
): AsyncGenerator<Part> {
  const wanted = (name: string) => Object.hasOwn(schemas, name)
  for await (const { list, value } of jsonRows(archive.read(path), { wanted, bad })) {
    const row = parseRow(schemas[list as keyof typeof schemas], value)
    if (row) yield { list, row } as Part
    else bad('bad-value', list)
  }
}

/** In seconds; undefined: it is no time. */
export function timeOf(text: string): number | undefined {
  const time = Date.parse(text) / 1000
  return Number.isFinite(time) && time >= 0 ? time : undefined
}
