import { can } from '#client/state/permissions.ts'
import type { Store } from '#client/state/store.ts'

/** A page of the first steps. */
export type FirstStep = 'you' | 'organization' | 'new-channels' | 'channels' | 'invitation'

/** The name of the mark that the account has until the first steps are done or skipped. */
const mark = 'first_steps'

/** Whether the user still has to take the first steps. */
export function hasFirstSteps({ realm }: Pick<Store, 'realm'>): boolean {
  return realm.value.onboarding_steps.some(({ name }) => name === mark)
}

/** Marks the first steps as done, in all browsers of the user. */
export const firstStepsDone = { onboarding_step: mark }

/** The pages in their order: owners set up the organization, everyone else finds their way in. */
export function firstStepsOf(store: Store): readonly FirstStep[] {
  if (store.realm.value.is_owner) {
    const mayInvite = can(store, 'create_multiuse_invite_group')
    return ['you', 'organization', 'new-channels', ...(mayInvite ? ['invitation' as const] : [])]
  }
  // Guests are in the channels that they were invited to, and see no others.
  return store.realm.value.is_guest ? ['you'] : ['you', 'channels']
}
