import { accessChannel } from '#features/foundation/channels/access.ts'
import { isTopicOf } from '#features/foundation/core/queries.ts'
import { requireFittingTopic } from '#features/foundation/recipients/topics.rules.ts'
import { canAccessUser } from '#features/foundation/users/access.ts'
import { findUser, type User } from '#features/foundation/users/queries.ts'
import { userSetting } from '#features/foundation/users/settings.queries.ts'
import { cutContent } from '#features/messaging/messages/compose.rules.ts'
import { seconds } from '#platform/clock.ts'
import { ApiError, badRequest, checking } from '#platform/errors.ts'
import { requireRoom } from '#platform/quotas/room.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { draftAddEvent, draftRemoveEvent, draftUpdateEvent } from './events.ts'
import * as queries from './queries.ts'
import { draftQuota } from './quotas.ts'

/** A draft as clients send it. */
export interface RequestedDraft {
  readonly type: queries.Draft['type']
  readonly to: readonly number[]
  readonly topic: string
  readonly content: string
  /** Seconds since the epoch; undefined for now. */
  readonly timestamp?: number | undefined
}

/**
 * Stores drafts for the user's other clients, and emits `drafts`/`add`.
 *
 * @returns their ids, in the order of `asked`
 * @throws BAD_REQUEST an invalid draft, too many, or the user does not synchronize drafts
 * @source Zulip API, "Create drafts"
 */
export function createDrafts(tx: Tx, user: User, asked: readonly RequestedDraft[]): number[] {
  requireSynchronization(tx, user)
  requireRoom(tx, draftQuota, user, asked.length)
  const added = checking('drafts', () =>
    asked.map((draft) => queries.insertDraft(tx, checkDraft(tx, user, draft))),
  )
  if (added.length > 0) tx.emit(draftAddEvent(added), [user.id])
  return added.map(({ id }) => id)
}

/**
 * Replaces a draft and emits `drafts`/`update`.
 *
 * @throws BAD_REQUEST an invalid draft, or the user does not synchronize drafts
 * @throws NOT_FOUND the user has no such draft
 * @source Zulip API, "Edit a draft"
 */
export function editDraft(tx: Tx, user: User, id: number, asked: RequestedDraft): void {
  requireSynchronization(tx, user)
  const edited = queries.updateDraft(
    tx,
    id,
    checking('draft', () => checkDraft(tx, user, asked)),
  )
  if (!edited) throw noSuchDraft()
  tx.emit(draftUpdateEvent(edited), [user.id])
}

/**
 * Removes a draft and emits `drafts`/`remove`.
 *
 * @throws BAD_REQUEST the user does not synchronize drafts
 * @throws NOT_FOUND the user has no such draft
 * @source Zulip API, "Delete a draft"
 */
export function deleteDraft(tx: Tx, user: User, id: number): void {
  requireSynchronization(tx, user)
  if (!queries.deleteDraft(tx, user.id, id)) throw noSuchDraft()
  tx.emit(draftRemoveEvent(id), [user.id])
}

/**
 * Deletes the drafts of a user who turned their synchronization off. Clients keep their copies, so
 * there is no event.
 *
 * @source Zulip API, "Update settings", `enable_drafts_synchronization`
 */
export function forgetDrafts(tx: Tx, userId: number): void {
  queries.deleteDraftsOf(tx, userId)
}

/** @throws BAD_REQUEST the user does not synchronize drafts */
export function requireSynchronization(read: Read, user: User): void {
  if (!userSetting(read, user.id, 'enable_drafts_synchronization')) {
    throw badRequest(sentSentence('You have turned off draft synchronization.'))
  }
}

/**
 * The row for a draft. The user must be able to access its recipients.
 *
 * @throws BAD_REQUEST not exactly one channel, or an unknown channel or user
 * @source Zulip API, "Create drafts"
 */
function checkDraft(read: Read, user: User, asked: RequestedDraft): queries.NewDraft {
  const { type } = asked
  const draft = {
    userId: user.id,
    type,
    to: [],
    topic: '',
    content: cutContent(asked.content),
    editedAt: asked.timestamp ?? seconds(read.clock),
  }
  if (type === 'stream') {
    const [channelId, ...others] = asked.to
    if (channelId === undefined || others.length > 0) {
      throw badRequest(sentSentence('Must specify exactly 1 channel ID for channel messages'))
    }
    const channel = accessChannel(read, { user }, channelId)
    const isKnown = isTopicOf(read, channel)
    return { ...draft, to: [channel.id], topic: requireFittingTopic(read, asked.topic, isKnown) }
  }
  if (type === 'private') {
    for (const id of asked.to) requireAccessibleUser(read, user, id)
    return { ...draft, to: [...asked.to] }
  }
  return draft
}

function requireAccessibleUser(read: Read, user: User, id: number): void {
  const other = findUser(read, id)
  if (!other || !canAccessUser(read, user, other))
    throw badRequest(sentSentence('Invalid user ID {id}', { id: String(id) }))
}

function noSuchDraft(): ApiError {
  return new ApiError(
    'NOT_FOUND',
    sentSentence('Draft does not exist'),
    {},
    { parameter: 'draft_id' },
  )
}
