import type { Shaped } from '#platform/shape.ts'
import type { onboardingStepShape } from './shapes.ts'

export type OnboardingStepJson = Shaped<typeof onboardingStepShape>

/** A step by its name, as clients get it. */
export const onboardingStepJson = (name: string): OnboardingStepJson => ({
  type: 'one_time_notice',
  name,
})
