import { requireRealm } from '#features/organization/realm/queries.ts'
import type { SystemContext } from '#platform/context.ts'

/**
 * What every notification says to apps about the server and the user.
 *
 * @source ZulipMobile and the app with Flutter: what they read of notifications below level 468
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
