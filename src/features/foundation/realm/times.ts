/** The interval at which clients report presence, and the silence after which a user is offline. */
export const presenceTimes = { pingSeconds: 60, offlineSeconds: 200 } as const

/**
 * Typing notifications: the time until one expires, the pause after which a client sends `stop`,
 * and the interval at which it repeats `start`.
 */
export const typingTimes = {
  expiryMilliseconds: 45_000,
  stoppedMilliseconds: 12_000,
  startedMilliseconds: 30_000,
} as const
