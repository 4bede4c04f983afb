import { findLinkedMessage } from '#features/messaging/old-links/queries.ts'
import type { NarrowSubject, Operand } from '#platform/events/types.ts'
import { once } from '#platform/memo.ts'
import { sentSentence } from '#translations/translate.ts'
import { always, clause } from './clause.ts'
import { badNarrow } from './errors.ts'
import { type Filter, type Operator, ranks } from './filter.ts'
import { type Lane, type MessageIndex, wholeLane } from './lanes.ts'
import { messageId, word } from './operands.ts'
import { isCommonQuery } from './queries.ts'
import { searchQuery } from './search.ts'
import { isFoundIn, phrasesOf, phraseWords } from './words.queries.ts'

const reactionLane: Lane = {
  kind: 'global',
  from: 'reactions r CROSS JOIN messages m ON m.id = r.message_id',
  id: 'r.message_id',
  key: always,
}

/** `has`: messages that contain a link, an image or an attachment, or that have a reaction. */
export const has: Operator<Operand> = (_reader, operand) => {
  const name = word('has', operand)
  const part = Object.hasOwn(parts, name) ? parts[name] : undefined
  if (!part)
    throw badNarrow(
      sentSentence('Invalid narrow operator: unknown {operator} operand {name}', {
        operator: 'has',
        name,
      }),
    )
  return part
}

const parts: Readonly<Record<string, Filter>> = {
  link: column('has_link', 'messages_link', (message) => message.hasLink),
  image: column('has_image', 'messages_image', (message) => message.hasImage),
  attachment: column('has_attachment', 'messages_attachment', (message) => message.hasAttachment),
  reaction: {
    sql: () => clause('EXISTS (SELECT 1 FROM reactions r WHERE r.message_id = m.id)'),
    // A message that is being sent has no reactions.
    matches: () => false,
    lanes: (visible) => {
      const recipients = [...visible.channels(), ...visible.directs()]
      return recipients.length === 1 ? [wholeLane(recipients)] : [reactionLane]
    },
    rank: ranks.reaction,
  },
}

/** A boolean column with a partial index of the messages where it is set. */
function column(
  name: string,
  index: MessageIndex,
  matches: (message: NarrowSubject) => boolean,
): Filter {
  return {
    sql: () => clause(`m.${name}`),
    matches,
    lanes: (visible) => [
      {
        kind: 'recipients',
        recipients: [...visible.channels(), ...visible.directs()],
        key: clause(`m.${name}`),
        index,
      },
    ],
    rank: ranks.content,
    exact: true,
  }
}

/** For several words, this is not checked: it would cost more than it saves. */
const fewWords = 8

/**
 * `search`: words, beginnings of words (`word*`) and quoted phrases that all occur in the content or the topic; or the message that an
 * address led to before it was imported.
 */
export const search: Operator<Operand> = (reader, operand) => {
  const { read } = reader
  const text = word('search', operand)
  const linked = findLinkedMessage(read, text)
  if (linked !== undefined) return id(reader, linked)
  const typed = phrasesOf(read, text)
  const query = searchQuery(typed)
  const phrases = once(() => phraseWords(read, typed))
  const words = () => phrases().flatMap(([form]) => form?.words ?? []).length
  const isCommon = once(() => words() <= fewWords && isCommonQuery(read, query))
  const beginnings = typed.filter(([{ isBeginning }]) => isBeginning).length
  return {
    sql: () =>
      clause(
        // For the beginning of a word, all words that begin so have to be read: once, not per message.
        beginnings > 0
          ? 'm.id IN (SELECT rowid FROM messages_fts WHERE messages_fts MATCH ?)'
          : 'EXISTS (SELECT 1 FROM messages_fts f WHERE messages_fts MATCH ? AND f.rowid = m.id)',
        query,
      ),
    matches: (message) => isFoundIn(read, message, phrases()),
    words,
    beginnings,
    get slowQuery() {
      return beginnings > 0 || words() > 1 ? query : undefined
    },
    lanes: () => [
      {
        kind: 'global',
        from: 'messages_fts f CROSS JOIN messages m ON m.id = f.rowid',
        id: 'f.rowid',
        key: clause('messages_fts MATCH ?', query),
      },
    ],
    get rank() {
      return isCommon() ? ranks.commonSearch : ranks.search
    },
    exact: true,
  }
}

/** `id`: one message. */
export const id: Operator<Operand> = (_reader, operand) => {
  const wanted = messageId('id', operand)
  return {
    sql: () => clause('m.id = ?', wanted),
    matches: (message) => message.id === wanted,
    lanes: () => [
      { kind: 'global', from: 'messages m', id: 'm.id', key: clause('m.id = ?', wanted) },
    ],
    rank: ranks.id,
    exact: true,
  }
}

/** `near`: filters nothing; clients send the message as the anchor of the window as well. */
export const near: Operator<Operand> = (_reader, operand) => {
  messageId('near', operand)
  return { sql: () => always, matches: () => true }
}
