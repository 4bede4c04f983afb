import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import type { User } from '#features/foundation/users/queries.ts'
import type { Read } from '#platform/store/store.ts'
import { findSecondFactor } from './queries.ts'

export function hasSecondFactor(read: Read, userId: number): boolean {
  return findSecondFactor(read, userId)?.isOn === true
}

/**
 * The step that someone has to take after their password before they are let in; undefined: none.
 */
export function secondStep(read: Read, { id }: User): 'code' | 'enrolment' | undefined {
  if (hasSecondFactor(read, id)) return 'code'
  return realmSetting(read, 'two_factor_required') ? 'enrolment' : undefined
}
