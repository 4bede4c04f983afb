/** How far the server's clock is ahead of this device's, in seconds. */
let offset = 0

/** Seconds since the epoch, by the server's clock: devices are wrong by minutes, and some by years. */
export const serverNow = (): number => Date.now() / 1000 + offset

/** The same as a date. */
export const serverDate = (): Date => new Date(serverNow() * 1000)

export const serverOffset = (): number => offset

/** @param seconds how far the server's clock is ahead of this device's */
export function setServerOffset(seconds: number): void {
  offset = seconds
}
