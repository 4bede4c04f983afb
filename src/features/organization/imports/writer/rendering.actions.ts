import { findAttachment } from '#features/files/attachments/queries.ts'
import { findUploadPicture } from '#features/files/thumbnails/queries.ts'
import { findChannel } from '#features/foundation/channels/queries.ts'
import { findGroup } from '#features/foundation/groups/queries.ts'
import { directMemberIds } from '#features/foundation/recipients/queries.ts'
import { findSystemBot, findUser } from '#features/foundation/users/queries.ts'
import { authorLookups } from '#features/messaging/messages/lookups.queries.ts'
import { directMessagesUrl, messageUrl, topicUrl } from '#platform/markdown/links.ts'
import { render } from '#platform/markdown/render.ts'
import type { KnownUpload, Lookups, RenderedMarkdown } from '#platform/markdown/types.ts'
import type { MessageRecord, WrittenFile, WrittenThread } from './records.ts'
import { findRecord, findThing, idOfMessage } from './spool.queries.ts'
import type { Referents } from './texts.ts'
import type { Work } from './work.actions.ts'

/** How many authors' look-ups are kept. */
const mostAuthors = 5000

const kept = new WeakMap<Work, Map<number, Lookups>>()

/** The renderer's look-ups for an author. */
function lookupsFor(work: Work, authorId: number): Lookups {
  const authors = kept.get(work) ?? new Map<number, Lookups>()
  kept.set(work, authors)
  const known = authors.get(authorId)
  if (known) return known
  const author = findUser(work.tx, authorId)
  if (!author) throw new Error(`There is no user ${authorId}.`)
  const lookups = {
    ...authorLookups(work.tx, author, work.realmUrl),
    // Not while the indexes are missing; the link leads to the topic all the same.
    newestInTopic: () => undefined,
    upload: undefined,
  }
  if (authors.size >= mostAuthors) authors.clear()
  authors.set(authorId, lookups)
  return lookups
}

/** Things that a text may show even if its author cannot see them. */
interface Extra {
  readonly formerNames?: Readonly<Record<string, number>>
  /** Whether the text may show this file. */
  mayShow?(attachmentId: number): boolean
}

/** Renders a text. @param authorId undefined: the server itself */
export function renderFor(
  work: Work,
  authorId: number | undefined,
  source: string,
  { formerNames, mayShow }: Extra = {},
): RenderedMarkdown {
  const id = authorId ?? findSystemBot(work.tx, 'notification-bot')?.id ?? 0
  const lookups = lookupsFor(work, id)
  return render(source, {
    ...lookups,
    ...(mayShow && { upload: (path: string) => uploadOf(work, path, mayShow) }),
    ...(formerNames && {
      usersByName(name: string) {
        const found = lookups.usersByName(name)
        const former = found.length === 0 ? formerNames[name] : undefined
        const user = former === undefined ? undefined : lookups.userById(former)
        return user ? [user] : found
      },
    }),
  })
}

function uploadOf(
  { tx }: Work,
  path: string,
  mayShow: (attachmentId: number) => boolean,
): KnownUpload | undefined {
  const file = findAttachment(tx, path)
  if (!file || !mayShow(file.id)) return undefined
  const picture = findUploadPicture(tx, file.id)
  if (!picture) return file
  const { animated, height, width } = picture
  return { ...file, width, height, animated, thumbnailed: false }
}

/** The targets of references in texts, when people, groups and channels exist. */
export function referents(work: Work): Referents {
  const { tx } = work
  return {
    realmUrl: work.realmUrl,
    person: (key) => findUser(tx, work.people.get(key) ?? 0),
    group: (key) => findGroup(tx, work.groups.get(key) ?? 0)?.name,
    channel: (key) => work.channels.get(key),
    message: (key) => messagePath(work, key),
    thread: (key) => threadPath(work, key),
    file: (key) => findThing<WrittenFile>(tx, 'file', key),
  }
}

function threadPath({ tx }: Work, key: string): string | undefined {
  const thread = findThing<WrittenThread>(tx, 'thread', key)
  const channel = thread && findChannel(tx, thread.channel)
  return channel && topicUrl(channel, thread.topic)
}

/** The path of a link to a message of the export. */
function messagePath(work: Work, key: string): string | undefined {
  const { tx } = work
  const id = idOfMessage(tx, key, work.keepsIds === true)
  const text = id === undefined ? undefined : findRecord(tx, id)
  if (id === undefined || text === undefined) return undefined
  const record = JSON.parse(text) as MessageRecord
  const channel = record.channel === undefined ? undefined : findChannel(tx, record.channel)
  return channel
    ? messageUrl(channel, record.topic, id)
    : directMessagesUrl(directMemberIds(tx, record.recipient), id)
}
