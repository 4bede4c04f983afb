import { mentionName } from '#client/commands/quoting.ts'
import type { Channel } from '#client/state/model.ts'
import { topicName } from '#client/state/names.ts'
import type { Store } from '#client/state/store.ts'
import { linkMarkdown } from '#shared/place-links.ts'
import type { Candidate } from './candidates.ts'
import type { Completion } from './completion.ts'
import type { Edit } from './text-edits.ts'

/** The edit that inserts a candidate; undefined for a time that is still to be chosen. */
export function completionEdit(
  completion: Completion,
  candidate: Candidate,
  store: Store,
): Edit | undefined {
  const text = insertedText(completion, candidate, store)
  if (text === undefined) return undefined
  const { start: from, end: to } = completion
  const caret = from + text.length
  if (candidate.kind !== 'language') return { from, to, insert: text, start: caret, end: caret }
  const { closing } = completion
  const insert = `${text}\n${closing === undefined ? '' : `\n${closing}`}`
  return { from, to, insert, start: caret + 1, end: caret + 1 }
}

function insertedText(
  completion: Completion,
  candidate: Candidate,
  store: Store,
): string | undefined {
  const silent = completion.kind === 'silent' ? '_' : ''
  switch (candidate.kind) {
    case 'person':
      return `@${silent}**${mentionName(store.users.current.values(), candidate.user)}** `
    case 'group':
      return `@${silent}*${candidate.group.name}* `
    case 'wildcard':
      return `@**${candidate.name}** `
    case 'channel':
      return `${channelMarkdown(candidate.channel, undefined, store)} `
    case 'topic':
      return `${channelMarkdown(candidate.channel, candidate.topic, store)} `
    case 'emoji':
      return `:${candidate.emoji.name}: `
    case 'command':
      return `/${candidate.name} `
    case 'language':
      return candidate.name
    case 'time':
      return candidate.at === undefined ? undefined : `${timeMarkdown(candidate.at)} `
  }
}

/** A link to a channel or topic: `#**dev>plans**`, or an ordinary link for awkward names. */
export function channelMarkdown(channel: Channel, topic: string | undefined, store: Store): string {
  return linkMarkdown(channel, topic, topicName('', store))
}

/** A time that every reader sees in their zone: `<time:2026-11-22T14:00:00Z>`. */
export function timeMarkdown(at: number): string {
  return `<time:${new Date(at * 1000).toISOString().replace('.000Z', 'Z')}>`
}
