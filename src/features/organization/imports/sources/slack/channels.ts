import { contentOf } from '#features/organization/imports/reading/content.ts'
import type { Reading } from '#features/organization/imports/source.ts'
import type { Item } from '#features/organization/imports/stream.ts'
import { mrkdwn } from './mrkdwn.ts'
import type { People } from './people.ts'
import { conversation, rowsOf } from './rows.ts'

/** The destination of the messages of a folder. */
export interface Spot {
  /** Slack's ID of it. */
  readonly id: string
  readonly isDirect: boolean
  /** The folder of its messages. */
  readonly folder: string
}

/** The files of channels, and their contents. */
const lists = [
  { path: 'channels.json', kind: 'public' },
  { path: 'groups.json', kind: 'private' },
  { path: 'file_conversations.json', kind: 'private' },
  { path: 'mpims.json', kind: 'direct' },
  { path: 'dms.json', kind: 'direct' },
] as const

export const channelFiles = lists.map(({ path }) => path)

/** Comments on a canvas have a channel of their own, such as `FC:F01ABC:Its title`. */
const titleOf = (name: string) => name.replace(/^FC:F[A-Z0-9]+:\s*/, '')

/**
 * Yields channels, their members, and direct conversations.
 *
 * @param spots filled with the destinations of the messages of folders
 */
export async function* channels(
  reading: Reading,
  people: People,
  spots: Map<string, Spot>,
): AsyncGenerator<Item> {
  for (const { kind, path } of lists) {
    const isDirect = kind === 'direct'
    for await (const row of rowsOf(
      reading,
      path,
      isDirect ? 'conversations' : 'channels',
      conversation,
    )) {
      const members = [...new Set(row.members.map((id) => people.keyOf(id)))]
      for (const folder of [row.id, row.name, row.name.replaceAll(':', '_')]) {
        const path = folder.normalize()
        if (path !== '') spots.set(path, { id: row.id, isDirect, folder: path })
      }
      if (isDirect) {
        yield { type: 'conversation', key: row.id, members }
        continue
      }
      yield {
        type: 'channel',
        key: row.id,
        name: titleOf(row.name) || row.id,
        description: contentOf(mrkdwn(row.purpose?.value || row.topic?.value || '', people)),
        creator: row.creator === undefined ? undefined : people.keyOf(row.creator),
        created: row.created,
        isPrivate: kind === 'private',
        isArchived: row.is_archived,
        isDefault: row.is_general,
      }
      for (const person of members) yield { type: 'membership', channel: row.id, person }
    }
  }
}
