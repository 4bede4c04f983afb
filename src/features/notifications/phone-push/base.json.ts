import { requireRealm } from '#features/foundation/realm/queries.ts'
import type { SystemContext } from '#platform/context.ts'

/**
 * The members of every notification that identify the server and the user for apps.
 *
 * @source ZulipMobile and the app with Flutter: the members that they read below level 468
 */
export function basePayload({ store, realmUrl }: SystemContext, userId: number) {
  const { id, name } = requireRealm(store)
  return {
    server: new URL(realmUrl).host,
    realm_id: id,
    realm_uri: realmUrl,
    realm_url: realmUrl,
    realm_name: name,
    user_id: userId,
  }
}
