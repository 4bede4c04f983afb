/** How often clients say that their user is there, and when silence means absence. */
export const presenceTimes = { pingSeconds: 60, offlineSeconds: 200 } as const

/**
 * Of typing notifications: when one is forgotten, after what pause a client says that its user
 * stopped, and how often it says that they go on.
 */
export const typingTimes = {
  expiryMilliseconds: 45_000,
  stoppedMilliseconds: 12_000,
  startedMilliseconds: 30_000,
} as const
