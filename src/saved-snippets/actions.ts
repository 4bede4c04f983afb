import { seconds } from '#clock.ts'
import { ApiError, badRequest } from '#errors.ts'
import { limits, requireLength } from '#realm/limits.ts'
import type { Tx } from '#store/write.ts'
import type { User } from '#users/queries.ts'
import { savedSnippetEvent, savedSnippetRemoveEvent } from './events.ts'
import {
  countSavedSnippets,
  deleteSavedSnippet,
  findSavedSnippet,
  insertSavedSnippet,
  type SnippetText,
  updateSavedSnippet,
} from './queries.ts'

/**
 * Keeps a snippet and emits `saved_snippets`/`add`.
 *
 * @returns its id
 * @throws BAD_REQUEST an empty title or content, or too many
 * @source api-changes §2a, `POST /saved_snippets`
 */
export function createSavedSnippet(tx: Tx, user: User, text: SnippetText): number {
  if (countSavedSnippets(tx, user.id) >= limits.snippets) {
    throw badRequest(`You have too many saved snippets (limit: ${limits.snippets})`)
  }
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
 * @throws BAD_REQUEST an empty title or content; NOT_FOUND no such snippet of this user
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

/** Removes a snippet and emits `saved_snippets`/`remove`. @throws NOT_FOUND as above */
export function removeSavedSnippet(tx: Tx, user: User, id: number): void {
  if (!deleteSavedSnippet(tx, user.id, id)) throw noSuchSnippet()
  tx.emit(savedSnippetRemoveEvent(id), [user.id])
}

/** Without blanks around them, and without what is not given. */
function checkText<T extends Partial<SnippetText>>(text: T): T {
  const given = Object.entries(text).filter(([, value]) => value !== undefined)
  const trimmed = given.map(([name, value]) => [name, value.trim()] as const)
  for (const [name, value] of trimmed) {
    if (value === '') throw badRequest(`${name} cannot be blank`)
    requireLength(name, value, name === 'title' ? limits.snippetTitleLength : limits.messageLength)
  }
  return Object.fromEntries(trimmed) as T
}

function noSuchSnippet(): ApiError {
  return new ApiError('NOT_FOUND', 'Saved snippet does not exist.')
}
