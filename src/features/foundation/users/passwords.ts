import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Config } from '#platform/config.ts'

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

/**
 * The cost of a hash. Each stored hash contains its cost, so the default can rise without locking
 * users out.
 */
export interface HashCost {
  /** A power of two: a hash takes `128 * N * r` bytes, here 16 MiB. */
  readonly N: number
  readonly r: number
  readonly p: number
}

const usualCost: HashCost = { N: 2 ** 14, r: 8, p: 5 }
const fixtureCost: HashCost = { N: 16, r: 1, p: 1 }
const hashBytes = 32

/** The shortest and the longest password, in UTF-16 code units. */
export interface PasswordLengths {
  readonly least: number
  readonly most: number
}

/** The longest password, in UTF-16 code units. */
export const longestPassword = 100

/**
 * How long passwords are, in UTF-16 code units; announced in the register reply. The fixture takes
 * short ones: everyone knows its passwords anyway, and clients' tests make accounts with them.
 */
export function passwordLengths({ fixture }: Pick<Config, 'fixture'>): PasswordLengths {
  return { least: fixture ? 1 : 8, most: longestPassword }
}

/** The cost of hashes on this server: next to nothing if everyone knows the passwords anyway. */
export function hashCost({ fixture }: Pick<Config, 'fixture'>): HashCost {
  return fixture ? fixtureCost : usualCost
}

/**
 * Slow on purpose: call it before a write transaction, never inside.
 *
 * @param cost from `hashCost`
 */
export async function hashPassword(password: string, cost: HashCost): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password.normalize('NFKC'), salt, hashBytes, cost)
  const { N, r, p } = cost
  return ['scrypt', N, r, p, salt.toString('base64'), hash.toString('base64')].join('$')
}

/**
 * Whether the password matches a stored hash. Takes the same time without a hash, so that the time
 * does not reveal which accounts exist.
 *
 * @param usual the cost of new hashes, from `hashCost`
 */
export async function verifyPassword(
  password: string,
  stored: string | null,
  usual: HashCost,
): Promise<boolean> {
  const [scheme, N, r, p, salt, hash] = (stored ?? '').split('$')
  if (scheme !== 'scrypt' || !salt || !hash) {
    await hashPassword(password, usual)
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
