import type { splitAddress } from '#platform/config/split-address.ts'

/** Why a provider made no call. The message has no secrets. */
export class CallFailure extends Error {}

/** The largest answer of a provider, in bytes. */
export const replyLimit = 65_536

/** The value of HTTP Basic for the user and password of an address. */
export function basicAuth({ user, password }: ReturnType<typeof splitAddress>): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}
