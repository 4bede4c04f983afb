import { accessChannel } from '#channels/access.ts'
import { seconds } from '#clock.ts'
import { ApiError, badRequest } from '#errors.ts'
import { limits, requireLength } from '#realm/limits.ts'
import type { Read, Tx } from '#store/write.ts'
import { requireTopic } from '#topics/names.ts'
import { canAccessUser } from '#users/access.ts'
import { findUser, type User } from '#users/queries.ts'
import { userSetting } from '#users/settings.ts'
import { draftAddEvent, draftRemoveEvent, draftUpdateEvent } from './events.ts'
import * as queries from './queries.ts'

/** A draft as a client sends it. */
export interface AskedDraft {
  readonly type: queries.Draft['type']
  readonly to: readonly number[]
  readonly topic: string
  readonly content: string
  /** Seconds since the epoch; now unless given. */
  readonly timestamp?: number | undefined
}

/**
 * Keeps drafts for the user's other clients, and emits `drafts`/`add`.
 *
 * @returns their ids, in the order of `asked`
 * @throws BAD_REQUEST what `checkDraft` says, too many, or drafts are not to be kept for this user
 * @source contract, "Create drafts"
 */
export function createDrafts(tx: Tx, user: User, asked: readonly AskedDraft[]): number[] {
  requireSynchronization(tx, user)
  if (queries.countDrafts(tx, user.id) + asked.length > limits.drafts) {
    throw badRequest(`You have too many drafts (limit: ${limits.drafts})`)
  }
  const added = asked.map((draft) => queries.insertDraft(tx, checkDraft(tx, user, draft)))
  if (added.length > 0) tx.emit(draftAddEvent(added), [user.id])
  return added.map(({ id }) => id)
}

/**
 * Replaces a draft and emits `drafts`/`update`.
 *
 * @throws NOT_FOUND there is no such draft, or it is somebody else's; BAD_REQUEST as above
 */
export function editDraft(tx: Tx, user: User, id: number, asked: AskedDraft): void {
  requireSynchronization(tx, user)
  const edited = queries.updateDraft(tx, id, checkDraft(tx, user, asked))
  if (!edited) throw noSuchDraft()
  tx.emit(draftUpdateEvent(edited), [user.id])
}

/** Removes a draft and emits `drafts`/`remove`. @throws NOT_FOUND as above */
export function deleteDraft(tx: Tx, user: User, id: number): void {
  requireSynchronization(tx, user)
  if (!queries.deleteDraft(tx, user.id, id)) throw noSuchDraft()
  tx.emit(draftRemoveEvent(id), [user.id])
}

/**
 * Forgets the drafts of a user who does not want them kept any more. Clients keep their copies, so
 * there is no event.
 *
 * @source the API description of `enable_drafts_synchronization`
 */
export function forgetDrafts(tx: Tx, userId: number): void {
  queries.deleteDraftsOf(tx, userId)
}

/** @throws BAD_REQUEST unless the user's drafts are kept */
export function requireSynchronization(read: Read, user: User): void {
  if (!userSetting(read, user.id, 'enable_drafts_synchronization')) {
    throw badRequest('You have turned off the synchronization of drafts.')
  }
}

/**
 * What is stored of a draft. Whom it is to must exist, as far as the user may know.
 *
 * @throws BAD_REQUEST not exactly one channel, an unknown channel or user, too long a text
 * @source contract, "Draft"
 */
function checkDraft(read: Read, user: User, asked: AskedDraft): queries.NewDraft {
  const { type, content } = asked
  requireLength('content', content, limits.messageLength)
  const draft = {
    userId: user.id,
    type,
    to: [],
    topic: '',
    content,
    editedAt: asked.timestamp ?? seconds(read.clock),
  }
  if (type === 'stream') {
    const [channelId, ...others] = asked.to
    if (channelId === undefined || others.length > 0) {
      throw badRequest('Must specify exactly 1 channel ID for channel messages')
    }
    const channel = accessChannel(read, { user }, channelId)
    return { ...draft, to: [channel.id], topic: requireTopic(read, asked.topic) }
  }
  if (type === 'private') {
    for (const id of asked.to) requirePerson(read, user, id)
    return { ...draft, to: [...asked.to] }
  }
  return draft
}

function requirePerson(read: Read, user: User, id: number): void {
  const person = findUser(read, id)
  if (!person || !canAccessUser(read, user, person)) throw badRequest(`Invalid user ID ${id}`)
}

function noSuchDraft(): ApiError {
  return new ApiError('NOT_FOUND', 'Draft does not exist')
}
