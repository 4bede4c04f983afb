import type { Message } from '#features/foundation/core/queries.ts'
import type { snapshot } from '#features/messaging/messages/shapes.ts'
import type { Shaped } from '#platform/shape.ts'
import type { Steps } from '#platform/steps.ts'
import type { Read } from '#platform/store/store.ts'
import { type DiffBudget, newDiffBudget } from './differences.ts'
import { htmlDifference } from './html-difference.ts'
import {
  type Edit,
  type EditContents,
  type EditSize,
  editSizesOf,
  findEditContents,
  findOldestContents,
  findOldestTopic,
  type ShownEdits,
} from './queries.ts'

/** A message after one of its edits. @source Zulip API, "Get a message's edit history" */
export type Snapshot = Shaped<typeof snapshot>

/** The largest size of the snapshots of a message together, in bytes of JSON. */
export const snapshotBytes = 1024 * 1024

/** The state of a message at some time. */
type Version = Pick<Message, 'topic' | 'content' | 'renderedContent'>

/**
 * A message's versions, from the original to the current one. Beyond `snapshotBytes`, versions
 * after the original are left out; the original and the current version are always included. Pauses
 * after each comparison.
 *
 * @param visible the edits that the realm shows
 * @param shown converts topics to the form that the caller requests
 */
export function* snapshots(
  read: Read,
  message: Message,
  visible: ShownEdits,
  shown: (topic: string) => string,
): Steps<Snapshot[]> {
  const first = originalOf(read, message, visible)
  const original: Snapshot = {
    ...versionJson(first, shown),
    timestamp: message.sentAt,
    user_id: message.senderId,
  }
  const newest: Snapshot[] = []
  const budget = newDiffBudget()
  let version: Version = message
  let left = snapshotBytes - jsonBytes(original)
  for (const { contentBytes, ...place } of listEdits(read, message.id, visible)) {
    const contents = contentBytes === null ? noContents : findEditContents(read, place.id)
    // The message was deleted during a pause.
    if (!contents) break
    const edit = { ...place, ...contents }
    const snapshot = editedJson(version, edit, shown, budget)
    left -= jsonBytes(snapshot)
    if (left < 0 && newest.length > 0) break
    newest.push(snapshot)
    version = versionBefore(version, edit)
    yield
  }
  return [original, ...newest.reverse()]
}

/** What an edit without a change of the content has of it. */
const noContents: EditContents = { prevContent: null, prevRenderedContent: null }

/** The least that a snapshot has besides contents, in bytes of JSON. */
const leastBytes = 64

/** Edits without contents, newest first: no fewer than fit, for nothing can be read beside a list. */
function listEdits(read: Read, messageId: number, visible: ShownEdits): EditSize[] {
  const edits: EditSize[] = []
  let bytes = 0
  for (const edit of editSizesOf(read, messageId, visible)) {
    edits.push(edit)
    bytes += leastBytes + (edit.contentBytes ?? 0)
    if (bytes > snapshotBytes) break
  }
  return edits
}

function originalOf(read: Read, message: Message, visible: ShownEdits): Version {
  const contents = visible === 'all' ? findOldestContents(read, message.id) : undefined
  return {
    topic: findOldestTopic(read, message.id) ?? message.topic,
    content: contents?.prevContent ?? message.content,
    renderedContent: contents?.prevRenderedContent ?? message.renderedContent,
  }
}

function versionBefore(after: Version, edit: Edit): Version {
  return {
    topic: edit.prevTopic ?? after.topic,
    content: edit.prevContent ?? after.content,
    renderedContent: edit.prevRenderedContent ?? after.renderedContent,
  }
}

function versionJson({ topic, content, renderedContent }: Version, shown: (t: string) => string) {
  return { topic: shown(topic), content, rendered_content: renderedContent }
}

/** The state of a message after an edit. */
function editedJson(
  after: Version,
  edit: Edit,
  shown: (topic: string) => string,
  budget: DiffBudget,
): Snapshot {
  const { prevTopic, prevChannelId, channelId, prevContent, prevRenderedContent } = edit
  return {
    ...versionJson(after, shown),
    timestamp: edit.editedAt,
    user_id: edit.userId,
    ...(prevTopic !== null && { prev_topic: shown(prevTopic) }),
    ...(prevChannelId !== null && { stream: channelId ?? 0, prev_stream: prevChannelId }),
    ...(prevContent !== null && {
      prev_content: prevContent,
      prev_rendered_content: prevRenderedContent ?? '',
      content_html_diff: htmlDifference(prevRenderedContent ?? '', after.renderedContent, budget),
    }),
  }
}

function jsonBytes(value: Snapshot): number {
  return Buffer.byteLength(JSON.stringify(value))
}
