import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

/** What a hash costs; kept inside each, so that it can rise without locking anybody out. */
export interface HashCost {
  /** A power of two: a hash takes `128 * N * r` bytes, here 16 MiB. */
  readonly N: number
  readonly r: number
  readonly p: number
}

const usualCost: HashCost = { N: 2 ** 14, r: 8, p: 5 }
const hashBytes = 32

/** In UTF-16 units; `POST /register` announces them. */
export const passwordLengths = { least: 8, most: 100 } as const

/** Slow on purpose: call it before the write, never in it. */
export async function hashPassword(password: string, cost = usualCost): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password.normalize('NFKC'), salt, hashBytes, cost)
  const { N, r, p } = cost
  return ['scrypt', N, r, p, salt.toString('base64'), hash.toString('base64')].join('$')
}

/**
 * Whether the password is the one of a stored hash. Takes its time without a hash too, so that an
 * answer does not tell which accounts exist.
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [scheme, N, r, p, salt, hash] = (stored ?? '').split('$')
  if (scheme !== 'scrypt' || !salt || !hash) {
    await hashPassword(password)
    return false
  }
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  const expected = Buffer.from(hash, 'base64')
  const actual = await derive(
    password.normalize('NFKC'),
    Buffer.from(salt, 'base64'),
    expected.length,
    cost,
  )
  return timingSafeEqual(expected, actual)
}
