import {
  type GroupSettingUpdate,
  requireAllowed,
  sameValue,
} from '#features/foundation/permissions/setting-values.rules.ts'
import type { PermissionRule } from '#features/foundation/permissions/table.ts'
import { ApiError } from '#platform/errors.ts'
import type { Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { deleteAnonymousGroup, isAnonymous } from './queries.ts'
import { groupSettingValue, storeGroupSetting } from './setting-values.queries.ts'

export interface GroupSettingChange {
  /** The wire name, for error messages. */
  readonly setting: string
  readonly rule: PermissionRule
  /** The id of the group that holds the current value. */
  readonly current: number
  readonly update: GroupSettingUpdate
  /** Stores the group of the new value. */
  save(groupId: number): void
}

/**
 * Applies a client's change of a setting and deletes the anonymous group of the old value, if any.
 *
 * @throws EXPECTATION_MISMATCH `old` is not the current value
 * @throws BAD_REQUEST a value that the setting's rule forbids; unknown users or groups
 */
export function updateGroupSetting(tx: Tx, change: GroupSettingChange): void {
  const { setting, rule, current, update } = change
  if (update.old !== undefined && !sameValue(update.old, groupSettingValue(tx, current))) {
    throw new ApiError(
      'EXPECTATION_MISMATCH',
      sentSentence("'old' value does not match the expected value."),
    )
  }
  requireAllowed(tx, setting, rule, update.new)
  change.save(storeGroupSetting(tx, update.new))
  if (isAnonymous(tx, current)) deleteAnonymousGroup(tx, current)
}
