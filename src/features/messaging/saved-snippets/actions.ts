import { limits, requireLength } from '#features/foundation/realm/limits.ts'
import type { User } from '#features/foundation/users/queries.ts'
import { seconds } from '#platform/clock.ts'
import { ApiError, badRequest } from '#platform/errors.ts'
import { requireRoom } from '#platform/quotas/room.ts'
import type { Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { savedSnippetEvent, savedSnippetRemoveEvent } from './events.ts'
import {
  deleteSavedSnippet,
  findSavedSnippet,
  insertSavedSnippet,
  type SnippetText,
  updateSavedSnippet,
} from './queries.ts'
import { snippetQuota } from './quotas.ts'

/**
 * Saves a snippet and emits `saved_snippets`/`add`.
 *
 * @returns its id
 * @throws BAD_REQUEST an empty or too long title or content, or too many snippets
 * @source Zulip API, "Create a saved snippet"
 */
export function createSavedSnippet(tx: Tx, user: User, text: SnippetText): number {
  requireRoom(tx, snippetQuota, user)
  const snippet = insertSavedSnippet(tx, {
    userId: user.id,
    ...checkText(text),
    dateCreated: seconds(tx.clock),
  })
  tx.emit(savedSnippetEvent('add', snippet), [user.id])
  return snippet.id
}

/**
 * Changes title, content or both and emits `saved_snippets`/`update`.
 *
 * @throws BAD_REQUEST an empty or too long title or content
 * @throws NOT_FOUND the user has no such snippet
 * @source Zulip API, "Edit a saved snippet"
 */
export function editSavedSnippet(
  tx: Tx,
  user: User,
  id: number,
  change: Partial<SnippetText>,
): void {
  const before = findSavedSnippet(tx, user.id, id)
  if (!before) throw noSuchSnippet()
  const edited = { ...before, ...checkText(change) }
  if (edited.title === before.title && edited.content === before.content) return
  updateSavedSnippet(tx, edited)
  tx.emit(savedSnippetEvent('update', edited), [user.id])
}

/**
 * Removes a snippet and emits `saved_snippets`/`remove`.
 *
 * @throws NOT_FOUND the user has no such snippet
 * @source Zulip API, "Delete a saved snippet"
 */
export function removeSavedSnippet(tx: Tx, user: User, id: number): void {
  if (!deleteSavedSnippet(tx, user.id, id)) throw noSuchSnippet()
  tx.emit(savedSnippetRemoveEvent(id), [user.id])
}

/** Trims the texts that are given. @throws BAD_REQUEST an empty or too long one */
function checkText<T extends Partial<SnippetText>>(text: T): T {
  const given = Object.entries(text).filter(([, value]) => value !== undefined)
  const trimmed = given.map(([name, value]) => [name, value.trim()] as const)
  for (const [name, value] of trimmed) {
    if (value === '')
      throw badRequest(sentSentence('{name} cannot be blank', { name }), { parameter: name })
    requireLength(name, value, name === 'title' ? limits.snippetTitleLength : limits.messageLength)
  }
  return Object.fromEntries(trimmed) as T
}

function noSuchSnippet(): ApiError {
  return new ApiError(
    'NOT_FOUND',
    sentSentence('Saved snippet does not exist.'),
    {},
    { parameter: 'saved_snippet_id' },
  )
}
