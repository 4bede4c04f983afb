import { localValues } from '#client/ui/browser-storage.ts'

/** Removed with all stored data when the user logs out. */
const keyOf = (userId: number) => `parley:push:${userId}`

/** The server's id of this browser; undefined if the user did not turn its notifications on. */
export function deviceId(userId: number): number | undefined {
  return Number(localValues.getItem(keyOf(userId))) || undefined
}

export function isDeviceOn(userId: number): boolean {
  return deviceId(userId) !== undefined
}

/** @param id undefined: the browser is forgotten */
export function keepDeviceId(userId: number, id: number | undefined): void {
  if (id === undefined) localValues.removeItem(keyOf(userId))
  else localValues.setItem(keyOf(userId), String(id))
}
