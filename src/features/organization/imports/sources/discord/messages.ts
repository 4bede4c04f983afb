import { basename } from 'node:path/posix'
import {
  contentOf,
  escaped,
  isEmpty,
  lined,
  linkTo,
  marked,
  type Pieces,
  prefixed,
  saidAs,
  snippetOf,
} from '#features/organization/imports/reading/content.ts'
import { unavailable } from '#features/organization/imports/reading/downloads.ts'
import { isDamaged } from '#features/organization/imports/reading/schemas.ts'
import type { Reading } from '#features/organization/imports/source.ts'
import type { FileItem, Item, Reaction } from '#features/organization/imports/stream.ts'
import { placeOf } from './channels.ts'
import { type Directory, type ExportedChannel, pathOf } from './directory.ts'
import { markdownOf, nameOf } from './markup.ts'
import {
  type EmbedRow,
  type EmojiRow,
  type MessageRow,
  type PersonRow,
  partsOf,
  timeOf,
} from './rows.ts'

/** The kinds of messages from people and bots. */
const written = new Set(['Default', 'Reply', 'ChatInputCommand', 'ContextMenuCommand'])
/** The placeholder in a thread for its first message, which is in the channel: without content. */
const starter = 'ThreadStarterMessage'
/** How many messages are kept, for replies to quote them. */
const mostQuotable = 2000
const longestQuote = 200

/** The messages of all channels, with files. */
export async function* messages(reading: Reading, directory: Directory): AsyncGenerator<Item> {
  for (const channel of directory.channels.values()) {
    const recent = new Map<string, string>()
    for (const path of channel.files) {
      const bad = (reason: Parameters<Reading['notes']['skipped']>[1]) => {
        if (reason === 'bad-encoding') reading.notes.changed('messages', reason, path)
        else reading.notes.skipped('messages', reason, path)
      }
      for await (const part of partsOf(reading, path, bad)) {
        if (part.list === 'messages') {
          yield* messageItems({ reading, directory, channel, path, recent }, part.row)
        }
      }
    }
  }
}

interface Context {
  readonly reading: Reading
  readonly directory: Directory
  readonly channel: ExportedChannel
  readonly path: string
  /** What was said last, on one line, by the IDs of messages. */
  readonly recent: Map<string, string>
}

function* messageItems(context: Context, row: MessageRow): Generator<Item> {
  const { channel, directory, reading, recent } = context
  const { notes, options } = reading
  const isStarter = row.type === starter
  if (!isStarter && !written.has(row.type)) {
    notes.skipped('messages', 'system-message', row.type)
    return
  }
  const time = timeOf(row.timestamp)
  if (time === undefined) {
    notes.skipped('messages', 'bad-date', row.id)
    return
  }
  const files: FileItem[] = []
  const own = saidIn(context, row, row, files)
  const forwarded = row.forwardedMessage && saidIn(context, row, row.forwardedMessage, files)
  yield* files
  const alias = aliasOf(directory, row.author)
  const pieces = saidAs(alias ?? '', own, forwarded ? [prefixed(forwarded, '> ')] : [])
  if (isEmpty(pieces)) {
    if (!isStarter) notes.skipped('messages', 'empty', row.id)
    return
  }
  const quoted = lined([own, forwarded ?? []])
  const author = alias ?? nameOf(directory, row.author.id)
  recent.set(row.id, `${author}\n${snippetOf(quoted, longestQuote)}`)
  const [oldest] = recent.size > mostQuotable ? recent.keys() : []
  if (oldest !== undefined) recent.delete(oldest)
  if (isDamaged(row)) notes.changed('messages', 'bad-value', row.id)
  if (row.isPinned) notes.skipped('flags', 'no-place', 'pin')
  const edited = row.timestampEdited ? timeOf(row.timestampEdited) : undefined
  const day =
    options.topics === 'daily' ? new Date(time * 1000).toISOString().slice(0, 10) : undefined
  // A thread has the ID of the message that it began with, which then belongs to it.
  const thread = directory.channels.get(row.id)
  yield {
    type: 'message',
    key: row.id,
    time,
    sender: row.author.id,
    place: placeOf(thread && thread !== channel ? thread : channel, day),
    content: contentOf([...quoteOf(context, row), ...pieces]),
    reactions: reactionsOf(context, row),
    ...(edited !== undefined && { edited }),
    link: `channels/${guildIn(directory)}/${channel.row.id}/${row.id}`,
  }
}

/** The name that a webhook has in one message, if it is not the one that it is known by. */
function aliasOf(directory: Directory, { id, isBot, name, nickname }: PersonRow) {
  const own = nickname || name
  return isBot && own !== '' && own !== nameOf(directory, id) ? own : undefined
}

/** The guild in addresses; direct messages have none. */
const guildIn = ({ guild }: Directory) => (guild.id === '0' ? '@me' : guild.id)

/** The first line of the message that this one replies to, with a link. */
function quoteOf({ recent }: Context, { reference, type }: MessageRow): Pieces {
  const message = reference?.messageId
  if (type !== 'Reply' || !message) return []
  const [author, quoted] = recent.get(message)?.split('\n') ?? []
  if (author === undefined) return [{ message, text: 'In reply to a message' }, '\n']
  return [{ message, text: `${author} wrote` }, `:\n> ${escaped(quoted ?? '')}\n\n`]
}

type Saying = Pick<MessageRow, 'content' | 'attachments' | 'stickers' | 'embeds'>

/** @param files gets the files that the text shows */
function saidIn(
  { directory, path, reading }: Context,
  { author, id: message, mentions }: MessageRow,
  { attachments, content, embeds, stickers }: Saying,
  files: FileItem[],
): Pieces {
  const file = (key: string, name: string, url: string): Pieces => {
    const found = pathOf(reading, path, url)
    files.push({
      type: 'file',
      key,
      name,
      owner: author.id,
      body:
        found === undefined ? () => unavailable('missing-file') : () => reading.archive.read(found),
      ...(found !== undefined && { size: reading.archive.size(found) }),
    })
    return [{ file: key, text: name }]
  }
  const keyOf = (id: string) => id || `unnamed ${message} ${files.length}`
  const media = (url: string): Pieces => {
    const found = pathOf(reading, path, url)
    if (found === undefined) return [linkOrNothing(url)]
    return file(`embed ${message} ${files.length}`, basename(found), url)
  }
  return lined([
    markdownOf(content, directory, mentions),
    // Previews of links in the text, which the reader's client makes again.
    ...embeds
      .filter(({ url }) => url === '' || !content.includes(url))
      .map((embed) => embedded(embed, (text) => markdownOf(text, directory), media)),
    ...attachments.map(({ fileName, id, url }) => file(keyOf(id), fileName || 'file', url)),
    ...stickers.map(({ id, name, sourceUrl }) =>
      pathOf(reading, path, sourceUrl) === undefined
        ? [escaped(`(sticker: ${name})`)]
        : file(`sticker ${keyOf(id)}`, `${name}${/\.\w+$/.exec(sourceUrl)?.[0] ?? ''}`, sourceUrl),
    ),
  ])
}

function embedded(
  { author, description, fields, footer, image, images, thumbnail, title, url, video }: EmbedRow,
  markdown: (text: string) => Pieces,
  media: (url: string) => Pieces,
): Pieces {
  const shown = images.length > 0 ? images : image ? [image] : []
  const pieces = lined([
    [author?.url ? linkTo(author.url, author.name) : escaped(author?.name ?? '')],
    [title && url ? linkTo(url, title) : marked(escaped(title), '**') || linkOrNothing(url)],
    markdown(description),
    ...fields.map(({ name, value }) => [marked(escaped(name), '**'), ': ', ...markdown(value)]),
    ...shown.map((each) => media(each.url)),
    [escaped(footer?.text ?? '')],
  ])
  // Beside a text, a thumbnail is an ornament, and a video what the link leads to.
  return isEmpty(pieces) ? media(video?.url || thumbnail?.url || '') : pieces
}

const linkOrNothing = (url: string) => (url === '' ? '' : linkTo(url))

function reactionsOf({ directory, reading }: Context, row: MessageRow): Reaction[] {
  return row.reactions.flatMap(({ count, emoji, users }) => {
    // Older exporters say only how many there were.
    if (users.length === 0 && count > 0) {
      reading.notes.skipped('reactions', 'absent', emoji.code || emoji.name, count)
    }
    const ref = refOf(directory, emoji)
    return [...new Set(users.map(({ id }) => id))].map((person) => ({ person, emoji: ref }))
  })
}

function refOf({ emoji }: Directory, { id, name }: EmojiRow): Reaction['emoji'] {
  if (id !== '') return emoji.has(id) ? { custom: id } : { name }
  const points = [...name].map((each) => (each.codePointAt(0) ?? 0).toString(16).padStart(4, '0'))
  return { code: points.join('-') }
}
