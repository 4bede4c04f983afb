import type { Store } from '#client/state/store.ts'

/** Seconds since the epoch, by the server's clock. */
export function serverNow({ clockOffset }: Pick<Store, 'clockOffset'>): number {
  return Date.now() / 1000 + clockOffset
}
