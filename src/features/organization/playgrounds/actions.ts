import { requireAdministrator } from '#features/foundation/permissions/rules.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { namesInTemplate } from '#platform/markdown/url-templates.ts'
import { requireRoom } from '#platform/quotas/room.ts'
import type { Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { playgroundsEvent } from './events.ts'
import { playgroundJson } from './json.ts'
import { deletePlayground, insertPlayground, listPlaygrounds, type Playground } from './queries.ts'
import { playgroundQuota } from './quotas.ts'

/**
 * Adds a code playground for a language and emits the list to everyone.
 *
 * @returns the id of the playground
 * @throws UNAUTHORIZED_PRINCIPAL the caller is not an organization administrator
 * @throws BAD_REQUEST an empty name, an invalid language, a name that the language already has, or
 * a URL template whose only variable is not `code`
 * @source Zulip API, "Add a code playground"
 */
export function addPlayground(tx: Tx, caller: Caller, wanted: Omit<Playground, 'id'>): number {
  requireAdministrator(caller.user)
  const name = wanted.name.trim()
  const language = wanted.language.trim()
  if (name === '') throw badRequest(sentSentence('name cannot be blank'), { parameter: 'name' })
  if (!/^[\w +./#-]+$/.test(language))
    throw badRequest(sentSentence('Invalid characters in pygments language'), {
      parameter: 'pygments_language',
    })
  const names = namesInTemplate(wanted.urlTemplate)
  if (!names) throw badRequest(sentSentence('Invalid URL template.'), { parameter: 'url_template' })
  if (names.size !== 1 || !names.has('code')) {
    throw badRequest(
      sentSentence("The URL template must have exactly one variable, named 'code'."),
      { parameter: 'url_template' },
    )
  }
  const isTaken = listPlaygrounds(tx).some(
    (other) => other.name === name && other.language === language,
  )
  if (isTaken)
    throw badRequest(sentSentence('This language already has a playground with this name.'), {
      parameter: 'name',
    })
  requireRoom(tx, playgroundQuota, 'all')
  const { id } = insertPlayground(tx, { name, language, urlTemplate: wanted.urlTemplate })
  emitPlaygrounds(tx)
  return id
}

/**
 * Removes a code playground and emits the list to everyone.
 *
 * @throws UNAUTHORIZED_PRINCIPAL the caller is not an organization administrator
 * @throws BAD_REQUEST no such playground
 * @source Zulip API, "Remove a code playground"
 */
export function removePlayground(tx: Tx, caller: Caller, id: number): void {
  requireAdministrator(caller.user)
  if (!deletePlayground(tx, id))
    throw badRequest(sentSentence('Invalid playground'), { parameter: 'playground_id' })
  emitPlaygrounds(tx)
}

function emitPlaygrounds(tx: Tx): void {
  tx.emit(playgroundsEvent(listPlaygrounds(tx).map(playgroundJson)), () => true)
}
