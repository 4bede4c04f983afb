import type { User } from '#features/foundation/users/queries.ts'
import type { Tx } from '#platform/store/store.ts'
import { onboardingStepsEvent } from './events.ts'
import { deleteOnboardingStep, insertOnboardingStep, listOnboardingSteps } from './queries.ts'
import { type OnboardingStep, onboardingSteps } from './steps.ts'

/** Lets clients show every step to a new user. */
export function startOnboarding(tx: Tx, newcomer: User): void {
  for (const name of onboardingSteps) insertOnboardingStep(tx, newcomer.id, name)
}

/**
 * Marks a step as taken, for all clients of the user and for good, and emits the remaining steps.
 * Marking it again changes nothing.
 */
export function takeOnboardingStep(tx: Tx, user: User, name: OnboardingStep): void {
  if (!deleteOnboardingStep(tx, user.id, name)) return
  tx.emit(onboardingStepsEvent(listOnboardingSteps(tx, user.id)), [user.id])
}
