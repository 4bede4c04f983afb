import type { StatePart } from '#platform/events/state.ts'
import * as shape from '#platform/shape.ts'
import { onboardingStepJson } from './json.ts'
import { listOnboardingSteps } from './queries.ts'
import { onboardingStepShape } from './shapes.ts'

export const onboardingState = {
  types: ['onboarding_steps'],
  members: {
    onboarding_steps: shape.noted(
      shape.list(onboardingStepShape),
      'The onboarding steps that the user has not seen yet; `first_steps` and `getting_started` for new users.',
    ),
    navigation_tour_video_url: shape.noted(shape.nullable(shape.string), 'Always null.'),
  },
  read: ({ store, user }) => ({
    onboarding_steps: listOnboardingSteps(store, user.id).map(onboardingStepJson),
    navigation_tour_video_url: null,
  }),
  readPublic: () => ({ onboarding_steps: [], navigation_tour_video_url: null }),
} satisfies StatePart
