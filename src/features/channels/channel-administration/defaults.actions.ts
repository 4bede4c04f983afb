import { requireAdministrator } from '#features/foundation/permissions/rules.ts'
import { checking } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { Tx } from '#platform/store/store.ts'
import { editChannel } from './actions.ts'

/**
 * Adds a channel to the default channels, which new users are subscribed to, or removes it.
 *
 * @throws UNAUTHORIZED_PRINCIPAL the caller is not an organization administrator
 * @throws BAD_REQUEST the caller cannot see the channel, or it is private or archived
 * @source Zulip API, "Add a default channel", "Remove a default channel"
 */
export function setDefault(tx: Tx, caller: Caller, channelId: number, isDefault: boolean): void {
  requireAdministrator(caller.user)
  // The channel is the one parameter, whatever it is refused for.
  checking('stream_id', () => editChannel(tx, caller, channelId, { isDefault }))
}
