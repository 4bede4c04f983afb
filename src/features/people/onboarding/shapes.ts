import * as shape from '#platform/shape.ts'

/** @source Zulip API, "OnboardingStep" (feature level 259) */
export const onboardingStepShape = shape.named('OnboardingStep', {
  type: shape.choice('one_time_notice'),
  name: shape.string,
})

export const onboardingEventShapes = [
  shape.event('OnboardingStepsEvent', 'onboarding_steps', {
    onboarding_steps: shape.list(onboardingStepShape),
  }),
]
