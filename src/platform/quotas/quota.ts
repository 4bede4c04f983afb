import type { SQL } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { roles, type User } from '#platform/store/schema.ts'
import type { Read } from '#platform/store/write.ts'
import { rowCounter, sumOfUses } from './queries.ts'

/** The account that holds something, or that acts. */
export type Account = Pick<User, 'id' | 'role' | 'botOwnerId'>

interface Stated {
  /** In `snake_case`: the operator sets it by this name. */
  readonly name: string
  /** The usual limit. */
  readonly most: number
  /** The message for who reaches it, without the number: `You have too many drafts`. */
  readonly tooMany: string
  /** How many times the limit administrators have; default: 1. */
  readonly forAdministrators?: number
  /** Tables whose rows come with what is limited. */
  readonly with?: readonly SQLiteTable[]
}

/**
 * A limit on what a subject, such as an account or the organization, can hold, or can do in some
 * time. Features declare theirs in their manifests; the program lists all.
 */
export interface Quota<S = never> extends Stated {
  /** For limits in time: how long a use counts, in seconds. Undefined: what exists counts. */
  readonly seconds?: number
  /** Whether the limit in time holds also where the server has no rate limits. */
  readonly always?: boolean
  /** The tables whose rows it limits. */
  readonly tables: readonly SQLiteTable[]
  /** How much of it is used now. */
  used(read: Read, subject: S): number
  /** How many times the limit this subject has. */
  share(subject: S): number
}

/** A limit in time: each use counts for a while, also after a restart. */
export interface Rate<S> extends Quota<S> {
  readonly seconds: number
  /** Whom a use counts for, in the table of uses. */
  key(subject: S): string
}

/**
 * A limit on the rows of an account.
 *
 * @param owner the column with the ID of the account
 * @param which the rows that count; default: all of the account
 */
export function accountHolds(
  stated: Stated,
  owner: SQLiteColumn,
  which?: SQL,
): Quota<Pick<Account, 'id'>> {
  const rows = rowCounter(owner.table, owner, which)
  return countedQuota(stated, [owner.table], (read, { id }) => rows(read, id))
}

/** A limit on the rows of a table, in the whole organization. */
export function organizationHolds(stated: Stated, table: SQLiteTable, which?: SQL): Quota<'all'> {
  const rows = rowCounter(table, undefined, which)
  return countedQuota(stated, [table], (read) => rows(read, 0))
}

/** A limit on something that is counted in a way of its own. */
export function countedQuota<S>(
  stated: Stated,
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

interface StatedRate extends Stated {
  readonly seconds: number
  readonly always?: boolean
}

/** A limit on what an account does in some time. What bots do counts for their owner. */
export function accountRate(stated: StatedRate): Rate<Account> {
  return rate(stated, ({ id, botOwnerId }) => String(botOwnerId ?? id))
}

/** A limit on what happens in some time in the whole organization. */
export function organizationRate(stated: StatedRate): Rate<'all'> {
  return rate(stated, (all) => all)
}

/** @param key whom a use counts for */
export function rate<S>(stated: StatedRate, key: (subject: S) => string): Rate<S> {
  return {
    ...stated,
    tables: stated.with ?? [],
    key,
    used: (read, subject) => sumOfUses(read, { quota: stated, key: key(subject) }),
    share: (subject) => shareOf(stated, subject),
  }
}

function shareOf({ forAdministrators = 1 }: Stated, subject: unknown): number {
  const isAdministrator =
    typeof subject === 'object' &&
    subject !== null &&
    'role' in subject &&
    Number(subject.role) <= roles.admin
  return isAdministrator ? forAdministrators : 1
}

export const hour = 3600
export const day = 24 * hour
