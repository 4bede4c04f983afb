import { feature } from '#platform/feature.ts'
import * as routes from './routes.ts'
import { onboardingEventShapes } from './shapes.ts'
import { onboardingState } from './state.ts'

export const onboarding = feature({
  routes: { 'Own settings': [routes] },
  state: [onboardingState],
  events: onboardingEventShapes,
})
