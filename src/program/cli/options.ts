import { InvalidArgumentError } from 'commander'
import { systemClock } from '#platform/clock.ts'

/** A mistake by the operator. The message says what to do instead. */
export class UsageError extends Error {}

export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Give a whole number.')
  return Number(text)
}

export function portNumber(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= 65_535)) throw new InvalidArgumentError('Expected a number from 0 to 65535.')
  return port
}

/** Parses `now` or a time like `2026-01-01T00:00:00Z` to milliseconds since the epoch. */
export function time(text: string): number {
  const at = text === 'now' ? systemClock.now() : Date.parse(text)
  if (Number.isNaN(at)) {
    throw new InvalidArgumentError('Expected "now" or a time like 2026-01-01T00:00:00Z.')
  }
  return at
}

/** Whether only this machine can reach the interface. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}
