import { timingSafeEqual } from 'node:crypto'

/** Compares two strings in constant time, for secrets. */
export function constantTimeEqual(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
