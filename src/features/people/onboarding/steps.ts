/**
 * The hints that clients show to a new user once. `first_steps`: name, picture, channels and, for
 * the owner who set the organization up, invitations.
 */
export const onboardingSteps = ['first_steps'] as const

export type OnboardingStep = (typeof onboardingSteps)[number]
