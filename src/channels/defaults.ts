import type { Caller } from '#http/caller.ts'
import { requireAdministrator } from '#permissions/can.ts'
import type { Tx } from '#store/write.ts'
import { editChannel } from './editing.ts'

/**
 * Adds a channel to those that new users are subscribed to, or takes it out.
 *
 * @throws UNAUTHORIZED_PRINCIPAL the caller does not administer the organization
 * @throws BAD_REQUEST no such channel for the caller, or one that is private or archived
 * @source the API description's `add-default-stream` and `remove-default-stream`
 */
export function setDefault(tx: Tx, caller: Caller, channelId: number, isDefault: boolean): void {
  requireAdministrator(caller.user)
  editChannel(tx, caller, channelId, { isDefault })
}
