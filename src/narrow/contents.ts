import { always, clause } from './clause.ts'
import { badNarrow } from './errors.ts'
import { type Lane, type MessageIndex, wholeLane } from './lanes.ts'
import { type Meaning, type Operator, ranks } from './meaning.ts'
import { messageId, word } from './operands.ts'
import { isCommonQuery, isFound } from './queries.ts'
import { searchQuery } from './search.ts'
import type { NarrowSubject, Operand } from './types.ts'

const reactionLane: Lane = {
  kind: 'global',
  from: 'reactions r CROSS JOIN messages m ON m.id = r.message_id',
  id: 'r.message_id',
  key: always,
}

/** `has`: what a message contains or bears. */
export const has: Operator<Operand> = (_reader, operand) => {
  const name = word('has', operand)
  const part = Object.hasOwn(parts, name) ? parts[name] : undefined
  if (!part) throw badNarrow(`unknown has operand ${name}`)
  return part
}

const parts: Readonly<Record<string, Meaning>> = {
  link: column('has_link', 'messages_link', (message) => message.hasLink),
  image: column('has_image', 'messages_image', (message) => message.hasImage),
  attachment: column('has_attachment', 'messages_attachment', (message) => message.hasAttachment),
  reaction: {
    sql: () => clause('EXISTS (SELECT 1 FROM reactions r WHERE r.message_id = m.id)'),
    // Nobody can have reacted to a message that is being sent.
    matches: () => false,
    lanes: (visible) => {
      const recipients = [...visible.channels(), ...visible.directs()]
      return recipients.length === 1 ? [wholeLane(recipients)] : [reactionLane]
    },
    rank: ranks.reaction,
  },
}

/** A yes-or-no column that has its own index of the messages where it is set. */
function column(
  name: string,
  index: MessageIndex,
  matches: (message: NarrowSubject) => boolean,
): Meaning {
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

/** `search`: words and quoted phrases, all of which the content or the topic has. */
export const search: Operator<Operand> = ({ read }, operand) => {
  const query = searchQuery(word('search', operand))
  return {
    sql: () =>
      clause(
        `EXISTS (SELECT 1 FROM messages_fts f WHERE messages_fts MATCH ? AND f.rowid = m.id)`,
        query,
      ),
    matches: (message) => isFound(read, query, message.id),
    lanes: () => [
      {
        kind: 'global',
        from: 'messages_fts f CROSS JOIN messages m ON m.id = f.rowid',
        id: 'f.rowid',
        key: clause('messages_fts MATCH ?', query),
      },
    ],
    get rank() {
      return isCommonQuery(read, query) ? ranks.commonSearch : ranks.search
    },
    exact: true,
  }
}

/** `id`: the one message. */
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

/** `near`: where a client looks; which messages are near is for the anchor to say. */
export const near: Operator<Operand> = (_reader, operand) => {
  messageId('near', operand)
  return { sql: () => always, matches: () => true }
}
