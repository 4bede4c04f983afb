import { requireOwner } from '#features/foundation/permissions/rules.ts'
import type { User } from '#features/foundation/users/queries.ts'
import type { Context } from '#platform/context.ts'
import { badRequest } from '#platform/errors.ts'
import { sentSentence } from '#translations/translate.ts'

/**
 * Requires someone who may operate the server from the browser.
 *
 * @throws UNAUTHORIZED_PRINCIPAL not an owner
 * @throws BAD_REQUEST the operator does not allow it
 */
export function requireOperator({ config }: Pick<Context, 'config'>, user: User): void {
  requireOwner(user)
  if (!config.ownersOperate) {
    throw badRequest(sentSentence('The operator of this server does not allow owners to do this.'))
  }
}
