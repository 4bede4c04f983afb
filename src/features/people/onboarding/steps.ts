/**
 * The hints that clients show to a new user once. `first_steps`: name, picture, channels and, for
 * the owner who set the organization up, invitations. `getting_started`: what is left to do while
 * nobody else is there.
 */
export const onboardingSteps = ['first_steps', 'getting_started'] as const

export type OnboardingStep = (typeof onboardingSteps)[number]
