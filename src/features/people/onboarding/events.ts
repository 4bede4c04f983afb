import { type OnboardingStepJson, onboardingStepJson } from './json.ts'

/** @source Zulip API, "Get events", type "onboarding_steps" (feature level 259) */
export interface OnboardingStepsEvent {
  type: 'onboarding_steps'
  onboarding_steps: OnboardingStepJson[]
}

/** The user has taken a step. @param names the steps that are left */
export function onboardingStepsEvent(names: readonly string[]): OnboardingStepsEvent {
  return { type: 'onboarding_steps', onboarding_steps: names.map(onboardingStepJson) }
}
