import { badRequest } from '#errors.ts'
import type { Caller } from '#http/caller.ts'
import { namesInTemplate } from '#markdown/url-templates.ts'
import { requireAdministrator } from '#permissions/can.ts'
import type { Tx } from '#store/write.ts'
import { findUser } from '#users/queries.ts'
import { playgroundsEvent } from './events.ts'
import { playgroundJson } from './json.ts'
import { deletePlayground, insertPlayground, listPlaygrounds, type Playground } from './queries.ts'

/**
 * Adds a place where code of a language can be tried out, and tells everybody.
 *
 * @returns its id
 * @throws UNAUTHORIZED_PRINCIPAL who does not administer the organization
 * @throws BAD_REQUEST no name or language; a name that the language has; a template with other
 *   variables than `code`
 * @source the API description of `POST /realm/playgrounds`
 */
export function addPlayground(tx: Tx, caller: Caller, wanted: Omit<Playground, 'id'>): number {
  requireAdministrator(findUser(tx, caller.user.id) ?? caller.user)
  const name = wanted.name.trim()
  const language = wanted.language.trim()
  if (name === '') throw badRequest('name cannot be blank')
  if (!/^[\w +./#-]+$/.test(language)) throw badRequest('Invalid characters in pygments language')
  const names = namesInTemplate(wanted.urlTemplate)
  if (!names) throw badRequest('Invalid URL template.')
  if (names.size !== 1 || !names.has('code')) {
    throw badRequest("The URL template must have one variable, named 'code'.")
  }
  const isTaken = listPlaygrounds(tx).some(
    (other) => other.name === name && other.language === language,
  )
  if (isTaken) throw badRequest('This language has a playground of this name already.')
  const { id } = insertPlayground(tx, { name, language, urlTemplate: wanted.urlTemplate })
  tell(tx)
  return id
}

/**
 * Removes a playground, and tells everybody.
 *
 * @throws UNAUTHORIZED_PRINCIPAL; BAD_REQUEST no such playground
 */
export function removePlayground(tx: Tx, caller: Caller, id: number): void {
  requireAdministrator(findUser(tx, caller.user.id) ?? caller.user)
  if (!deletePlayground(tx, id)) throw badRequest('Invalid playground')
  tell(tx)
}

function tell(tx: Tx): void {
  tx.emit(playgroundsEvent(listPlaygrounds(tx).map(playgroundJson)), () => true)
}
