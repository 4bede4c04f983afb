import { markdownOf } from '#features/notifications/mail-gateway/html-markdown.ts'
import {
  contentOf,
  escaped,
  isEmpty,
  lined,
  type Pieces,
} from '#features/organization/imports/reading/content.ts'
import type { Reading } from '#features/organization/imports/source.ts'
import type {
  Body,
  FileItem,
  Item,
  Reaction,
  Reference,
} from '#features/organization/imports/stream.ts'
import { emojiOfCharacters } from '#platform/emoji-data/unicode.ts'
import type { Bad, CampfireDatabase, Row } from './database.queries.ts'
import { timeOf } from './times.ts'

interface Context {
  readonly reading: Reading
  readonly database: CampfireDatabase
  bodyOf(file: Row<'files'>): Body
}

const topic = 'imported from Campfire'

/** All messages, with their attachments. */
export async function* messages(context: Context): AsyncGenerator<Item> {
  const { database, reading } = context
  const { notes } = reading
  const direct = new Set<number>()
  for (const { id, type } of database.rows('rooms', () => {})) {
    if (type === 'Rooms::Direct') direct.add(id)
  }
  const bad: Bad = (example, reason) => notes.skipped('messages', reason, example)
  for (const { record_id } of database.rows('orphans', bad)) {
    notes.skipped('messages', 'absent', `message ${record_id}`)
  }
  for (const row of database.rows('messages', bad)) {
    const key = String(row.id)
    const time = timeOf(row.created_at)
    if (time === undefined) {
      notes.skipped('messages', 'bad-date', key)
      continue
    }
    const files = fileItems(context, row)
    yield* files
    const [found, ...others] = database.rows('bodies', bad, row.id)
    if (others.length > 0) notes.skipped('messages', 'duplicate', key, others.length)
    const pieces = lined([
      await piecesOf(found?.body ?? ''),
      ...files.map(({ key: file, name }): Pieces => [{ file, text: name }]),
    ])
    if (isEmpty(pieces)) {
      notes.skipped('messages', 'empty', key)
      continue
    }
    const room = String(row.room_id)
    const place = direct.has(row.room_id) ? { conversation: room } : { channel: room, topic }
    const { reactions, words } = boostsOf(context, row)
    yield {
      type: 'message',
      key,
      time,
      sender: String(row.creator_id),
      place,
      content: contentOf(pieces),
      reactions,
      link: `rooms/${room}/@${key}`,
    }
    for (const boost of words) {
      yield {
        type: 'message',
        key: `boost ${boost.id}`,
        time: timeOf(boost.created_at ?? null) ?? time,
        sender: String(boost.booster_id),
        place,
        content: contentOf([{ message: key, text: 'Boost' }, `: ${escaped(boost.content.trim())}`]),
      }
    }
  }
}

function fileItems({ bodyOf, database, reading }: Context, { creator_id, id }: Row<'messages'>) {
  const bad: Bad = (example, reason) => reading.notes.skipped('files', reason, example)
  const items: FileItem[] = []
  for (const file of database.rows('files', bad, 'Message', id)) {
    if (file.name !== 'attachment') continue
    items.push({
      type: 'file',
      key: String(file.id),
      name: file.filename,
      contentType: file.content_type ?? undefined,
      owner: String(creator_id),
      body: bodyOf(file),
      size: file.byte_size,
    })
  }
  return items
}

/** A boost is a short text; one that is an emoji becomes a reaction, and others are messages. */
function boostsOf({ database, reading }: Context, { id }: Row<'messages'>) {
  const { notes } = reading
  const seen = new Set<string>()
  const reactions: Reaction[] = []
  const words: Row<'boosts'>[] = []
  const bad: Bad = (example, reason) => notes.skipped('reactions', reason, example)
  for (const boost of database.rows('boosts', bad, id)) {
    const { booster_id, content } = boost
    const code = emojiOfCharacters(content.trim())
    const mark = `${booster_id} ${code}`
    if (code !== undefined && !seen.has(mark)) {
      reactions.push({ person: String(booster_id), emoji: { code } })
      seen.add(mark)
    } else if (code !== undefined) notes.skipped('reactions', 'duplicate', `boost ${boost.id}`)
    else if (content.trim() === '') notes.skipped('reactions', 'empty', `boost ${boost.id}`)
    else words.push(boost)
  }
  return { reactions, words }
}

const signs = /[\uE000\uE001]/g

/** Action Text is HTML; what it mentions are elements of its own. */
async function piecesOf(html: string): Promise<Pieces> {
  const found: Reference[] = []
  const markdown = await markdownOf(html.replace(signs, ''), true, {
    plain: escaped,
    standsFor(tag, attribute) {
      if (tag !== 'action-text-attachment') return undefined
      const person = personIn(attribute('sgid'))
      // A preview of a link stands beside the link.
      if (person === undefined) return ''
      return `\uE000${found.push({ person, text: '@somebody' }) - 1}\uE001`
    },
  })
  return markdown
    .split(signs)
    .flatMap((piece, i): Pieces => (i % 2 === 0 ? linked(piece) : [found[Number(piece)] ?? '']))
}

/** The address of a message, alone or with words for it. */
const messageLink =
  /\[([^[\]\n]{1,500})\]\((https?:\/\/[^\s()]{1,200}\/rooms\/\d{1,15}\/@(\d{1,15}))\)|(https?:\/\/[^\s()<>]{1,200}\/rooms\/\d{1,15}\/@(\d{1,15}))/g

/** Links to messages of the old Campfire lead to those that were imported. */
function linked(text: string): Pieces {
  const pieces: (string | Reference)[] = []
  let end = 0
  for (const found of text.matchAll(messageLink)) {
    const [whole, words, labelled, inLabelled, bare, inBare] = found
    const url = labelled ?? bare ?? ''
    const message = inLabelled ?? inBare ?? ''
    pieces.push(text.slice(end, found.index), { message, text: words ?? url, url })
    end = found.index + whole.length
  }
  return [...pieces, text.slice(end)]
}

/** In bytes: a signed ID is much shorter. */
const longestId = 2000

/**
 * The user whom a signed global ID names. Its payload is JSON in Base64, in which the ID may be in
 * Base64 once more; its signature is not needed here.
 */
function personIn(sgid: string): string | undefined {
  if (sgid.length > longestId) return undefined
  const payload = Buffer.from(sgid.split('--')[0] ?? '', 'base64').toString('latin1')
  const [, inner = ''] = /"(?:message|data)":"([\w+/=-]+)"/.exec(payload) ?? []
  const texts = [payload, Buffer.from(inner, 'base64').toString('latin1')]
  for (const text of texts) {
    const person = /gid:\/\/[\w-]+\/User\/(\d{1,15})/.exec(text)?.[1]
    if (person !== undefined) return person
  }
  return undefined
}
