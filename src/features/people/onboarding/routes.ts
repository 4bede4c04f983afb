import { endpoint } from '#platform/http/endpoint.ts'
import { described, oneOf } from '#platform/http/params.ts'
import * as actions from './actions.ts'
import { onboardingSteps } from './steps.ts'

/** @source Zulip API, routed there and undocumented */
export const markOnboardingStep = endpoint({
  method: 'post',
  path: '/users/me/onboarding_steps',
  summary: 'Mark an onboarding step as done, so that no client shows it to the caller again.',
  params: {
    onboarding_step: described(
      oneOf(onboardingSteps),
      'The name of a step, as in the member `onboarding_steps` of `POST /register`.',
    ),
  },
  reply: {},
  run: async ({ store }, p) => {
    await store.write((tx, user) => actions.takeOnboardingStep(tx, user, p.onboarding_step))
    return {}
  },
})
