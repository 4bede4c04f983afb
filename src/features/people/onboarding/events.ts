import type { EventOf } from '#platform/shape.ts'
import { onboardingStepJson } from './json.ts'
import type { onboardingEventShapes } from './shapes.ts'

/** @source Zulip API, "Get events", type "onboarding_steps" (feature level 259) */
export type OnboardingStepsEvent = EventOf<typeof onboardingEventShapes, 'onboarding_steps'>

/** The user has taken a step. @param names the steps that are left */
export function onboardingStepsEvent(names: readonly string[]): OnboardingStepsEvent {
  return { type: 'onboarding_steps', onboarding_steps: names.map(onboardingStepJson) }
}
