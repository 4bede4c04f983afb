import type { Draft as WireDraft } from '#client/api/wire.ts'
import type { ComposeTarget } from '#client/state/compose-target.ts'
import { directConversation } from '#client/state/from-wire.ts'
import type { LocalDraft } from './draft-entries.ts'

/** Whether the user has chosen the channel, or people. */
export function isFinished(target: ComposeTarget): boolean {
  return target.kind === 'topic' ? target.channelId !== undefined : target.userIds.length > 0
}

/** A draft in the API's form. */
export function draftToWire({ target, content, updatedAt }: LocalDraft) {
  const timestamp = Math.floor(updatedAt / 1000)
  if (target.kind === 'direct') {
    const to = [...target.userIds]
    return { type: to.length > 0 ? 'private' : '', to, topic: '', content, timestamp }
  }
  const { channelId, topic } = target
  if (channelId === undefined) return { type: '', to: [], topic, content, timestamp }
  return { type: 'stream', to: [channelId], topic, content, timestamp }
}

/** The target of a draft from the server. */
export function draftTarget({ type, to, topic }: WireDraft, selfId: number): ComposeTarget {
  if (type === 'private') {
    const conversation = to.length > 0 ? directConversation(to, selfId) : undefined
    return conversation?.kind === 'direct' ? conversation : { kind: 'direct', userIds: [] }
  }
  return { kind: 'topic', channelId: type === 'stream' ? to[0] : undefined, topic }
}
