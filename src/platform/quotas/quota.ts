import type { SQL } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { roles, type User } from '#platform/store/schema.ts'
import type { Read } from '#platform/store/store.ts'
import { rowCounter, sumOfUses } from './queries.ts'

/** The account to which a limit applies. */
export type Account = Pick<User, 'id' | 'role' | 'botOwnerId'>

interface QuotaDeclaration {
  /** The name in `PARLEY_LIMITS`, in `snake_case`. */
  readonly name: string
  /** The default limit. */
  readonly most: number
  /** What is limited, as a sentence for operators: `Drafts of an account.` */
  readonly meaning: string
  /** The error message: `You have too many drafts (limit: {count})`, for a rate `{count} an hour`. */
  readonly tooMany: string
  /** The factor by which administrators' limit is higher; default: 1. */
  readonly forAdministrators?: number
  /** Further tables whose rows are limited indirectly, because they belong to the limited rows. */
  readonly with?: readonly SQLiteTable[]
}

/**
 * A limit on what a subject, such as an account or the organization, can hold, or can do in a
 * period. Features declare theirs in their manifests; the program lists all.
 */
export interface Quota<S = never> extends QuotaDeclaration {
  /** For rate limits: how long a use counts, in seconds. Undefined: existing rows count. */
  readonly seconds?: number
  /** Whether the rate limit also applies to servers with rate limits turned off. */
  readonly always?: boolean
  /** The tables whose rows it limits. */
  readonly tables: readonly SQLiteTable[]
  /** How much of it is used now. */
  used(read: Read, subject: S): number
  /** The factor by which this subject's limit is higher. */
  share(subject: S): number
}

/** A rate limit: each use counts for a period, even after a restart. */
export interface Rate<S> extends Quota<S> {
  readonly seconds: number
  /** The key of the subject in `quota_uses`. */
  key(subject: S): string
}

/**
 * A limit on the rows of an account.
 *
 * @param owner the column with the ID of the account
 * @param which the rows that count; default: all rows of the account
 */
export function accountHolds(
  stated: QuotaDeclaration,
  owner: SQLiteColumn,
  which?: SQL,
): Quota<Pick<Account, 'id'>> {
  const rows = rowCounter(owner.table, owner, which)
  return countedQuota(stated, [owner.table], (read, { id }) => rows(read, id))
}

/** A limit on the rows of a table, in the whole organization. */
export function organizationHolds(
  stated: QuotaDeclaration,
  table: SQLiteTable,
  which?: SQL,
): Quota<'all'> {
  const rows = rowCounter(table, undefined, which)
  return countedQuota(stated, [table], (read) => rows(read, 0))
}

/** A limit with its own way of counting. */
export function countedQuota<S>(
  stated: QuotaDeclaration,
  tables: readonly SQLiteTable[],
  used: (read: Read, subject: S) => number,
): Quota<S> {
  return {
    ...stated,
    tables: [...tables, ...(stated.with ?? [])],
    used,
    share: (subject) => shareOf(stated, subject),
  }
}

interface StatedRate extends QuotaDeclaration {
  readonly seconds: number
  readonly always?: boolean
}

/** A limit on what an account does in a period. Uses by bots count for their owner. */
export function accountRate(stated: StatedRate): Rate<Account> {
  return rate(stated, ({ id, botOwnerId }) => String(botOwnerId ?? id))
}

/** A limit on what the whole organization does in a period. */
export function organizationRate(stated: StatedRate): Rate<'all'> {
  return rate(stated, (all) => all)
}

/** @param key the key of the subject that a use counts for */
export function rate<S>(stated: StatedRate, key: (subject: S) => string): Rate<S> {
  return {
    ...stated,
    tables: stated.with ?? [],
    key,
    used: (read, subject) => sumOfUses(read, { quota: stated, key: key(subject) }),
    share: (subject) => shareOf(stated, subject),
  }
}

function shareOf({ forAdministrators = 1 }: QuotaDeclaration, subject: unknown): number {
  const isAdministrator =
    typeof subject === 'object' &&
    subject !== null &&
    'role' in subject &&
    Number(subject.role) <= roles.admin
  return isAdministrator ? forAdministrators : 1
}

export const hour = 3600
export const day = 24 * hour
