import type { Caller } from '#http/caller.ts'
import { postNotice, silently } from '#messages/notices.ts'
import type { Message } from '#messages/queries.ts'
import { realmSetting } from '#realm/settings.ts'
import type { Tx } from '#store/write.ts'
import { topicKey } from '#topics/names.ts'
import { listUnconcerned } from './queries.ts'
import { isResolved, isResolving, type Target } from './rules.ts'

interface Told {
  readonly from: Target
  readonly to: Target
  readonly moved: readonly Message[]
  /** Whether the old topic still has messages. */
  readonly stays: boolean
  readonly tellOldTopic: boolean
  readonly tellNewTopic: boolean
}

/**
 * Has Notification Bot say in the topics what happened to them, as far as the caller wants it: that
 * a topic was resolved is said in the new one.
 *
 * @source the API description's `send_notification_to_old_thread` and `..._new_thread`
 */
export function tellOfMove(tx: Tx, caller: Caller, told: Told): void {
  const { from, to } = told
  const author = silently(caller.user)
  const { realmUrl } = caller.server
  const post = ({ channel, topic }: Target, content: string, readBy: number[] = []) =>
    postNotice(tx, channel, topic, { author: caller.user, content, realmUrl, readBy })
  if (isResolving(from, to)) {
    if (!told.tellNewTopic) return
    const content = `${author} has marked this topic as ${isResolved(to.topic) ? '' : 'un'}resolved.`
    post(to, content, listUnconcerned(tx, to.channel.id, topicKey(to.topic)))
    return
  }
  const what = told.stays ? countOf(told.moved.length) : 'This topic was'
  if (told.tellNewTopic) post(to, `${what} moved here from ${linkTo(tx, from)} by ${author}.`)
  if (told.tellOldTopic) post(from, `${what} moved to ${linkTo(tx, to)} by ${author}.`)
}

function countOf(messages: number): string {
  return messages === 1 ? 'A message was' : `${messages} messages were`
}

function linkTo(tx: Tx, { channel, topic }: Target): string {
  return `#**${channel.name}>${topic === '' ? realmSetting(tx, 'empty_topic_display_name') : topic}**`
}
