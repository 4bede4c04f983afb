import { canAccessMetadata } from '#features/foundation/channels/access.ts'
import {
  type Channel,
  findChannelByRecipient,
  listChannels,
} from '#features/foundation/channels/queries.ts'
import { listSubscriptions } from '#features/foundation/channels/subscriptions.queries.ts'
import { findReadableMessage } from '#features/foundation/core/queries.ts'
import { queueWanted } from '#features/foundation/mail/actions.ts'
import { findPresence } from '#features/foundation/presence/queries.ts'
import { listUsersAfter, type User } from '#features/foundation/users/queries.ts'
import { userSetting } from '#features/foundation/users/settings.queries.ts'
import { listUserTopics } from '#features/messaging/user-topics/queries.ts'
import { showsContent } from '#features/notifications/mail-notifications/mails.ts'
import type { ToMailHtml } from '#features/notifications/mail-notifications/shown.mails.ts'
import { visibilityPolicies } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { type BusyTopic, chooseTopics } from './choice.ts'
import { digestMail } from './mails.ts'
import { type DigestRun, findDigestRun, listSamples, updateDigestRun } from './queries.ts'

/** Digests are for users who have been away this long, and cover this time; in seconds. */
export const awaySeconds = 5 * 24 * 3600
/** How many people are considered in one write. */
const mostAtOnce = 20

/**
 * Queues the digests of some further people.
 *
 * @param busy the active topics of all channels
 * @returns whether these were the last ones
 */
export function sendDigests(
  tx: Tx,
  busy: readonly BusyTopic[],
  realmUrl: string,
  toHtml: ToMailHtml,
): boolean {
  const run = findDigestRun(tx)
  if (!run || run.isDone) return true
  const next = listUsersAfter(tx, run.afterUserId, mostAtOnce)
  const news = { busy, channels: newChannels(tx, run) }
  for (const user of next) {
    if (wantsDigest(tx, user, run)) sendDigest(tx, user, news, realmUrl, toHtml)
  }
  const isDone = next.length < mostAtOnce
  updateDigestRun(tx, next.at(-1)?.id ?? run.afterUserId, isDone)
  return isDone
}

function wantsDigest(tx: Tx, user: User, { startedAt }: DigestRun): boolean {
  if (!user.isActive || user.botType !== null || user.isSystemBot) return false
  if (user.awaitsFirstLogin) return false
  if (!userSetting(tx, user.id, 'enable_digest_emails') || !showsContent(tx, user)) return false
  const seenAt = Math.max(findPresence(tx, user.id)?.activeAt ?? 0, user.dateJoined)
  return seenAt <= startedAt - awaySeconds && !tx.isListening(user.id)
}

/** The active topics, the same for all readers. */
interface DigestContents {
  readonly busy: readonly BusyTopic[]
  readonly channels: readonly Channel[]
}

function newChannels(read: Read, { startedAt }: DigestRun): Channel[] {
  const since = startedAt - awaySeconds
  return listChannels(read).filter(
    ({ dateCreated, isPrivate, isArchived }) => dateCreated >= since && !isPrivate && !isArchived,
  )
}

function sendDigest(
  tx: Tx,
  user: User,
  { busy, channels }: DigestContents,
  realmUrl: string,
  toHtml: ToMailHtml,
): void {
  const digest = {
    topics: topicsFor(tx, user, busy),
    newChannels: channels.filter((channel) => canAccessMetadata(tx, user, channel)),
  }
  if (digest.topics.length === 0 && digest.newChannels.length === 0) return
  queueWanted(tx, digestMail(tx, user, digest, realmUrl, toHtml))
}

/** The topics for a reader: in their channels, and not muted. */
function topicsFor(read: Read, user: User, busy: readonly BusyTopic[]) {
  const wanted = new Set(
    listSubscriptions(read, user.id)
      .filter(({ isActive, isMuted }) => isActive && !isMuted)
      .map(({ channelId }) => channelId),
  )
  const muted = new Set(
    listUserTopics(read, user.id)
      .filter(({ policy }) => policy === visibilityPolicies.muted)
      .map(({ channelId, topicKey }) => `${channelId} ${topicKey}`),
  )
  const found = busy.flatMap((topic) => {
    const channel = findChannelByRecipient(read, topic.recipientId)
    const isWanted =
      channel && wanted.has(channel.id) && !muted.has(`${channel.id} ${topic.topicKey}`)
    return isWanted ? [{ ...topic, channel }] : []
  })
  return chooseTopics(found).flatMap((topic) => shown(read, user, topic))
}

function shown(read: Read, user: User, topic: BusyTopic & { readonly channel: Channel }) {
  const samples = listSamples(read, user.id, topic).flatMap(
    (id) => findReadableMessage(read, user, id) ?? [],
  )
  return samples.length > 0 ? [{ ...topic, samples }] : []
}
