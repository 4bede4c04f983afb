import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Audience, ServerEvent } from '#platform/events/types.ts'
import type { Db } from './open.ts'

/**
 * Something that happens in a write and concerns features above the one that does it. A feature
 * declares an occasion and announces it (`tx.announce`), and others name it in their manifest
 * (`on`), so that neither imports the other.
 */
export interface Occasion<Facts> {
  /** Such as "a message was sent", for errors. */
  readonly name: string
  /** Never set: it ties the type of what is announced to the occasion. */
  readonly facts?: Facts
}

/** Something to read from: the store, or an open transaction. */
export interface Read {
  readonly db: Db
  readonly clock: Clock
  readonly config: Config
}

/** An open write transaction. Only functions that take a Tx change rows. */
export interface Tx extends Read {
  /** The IDs of the users who have an event queue. */
  readonly liveUsers: ReadonlySet<number>
  /** Whether a user has a client that gets messages and has asked for events lately. */
  isListening(userId: number): boolean
  /** Keeps `event` until the commit, then delivers it to `audience`, in order. */
  emit(event: ServerEvent, audience: Audience): void
  /** Runs what the features' manifests do on this occasion, immediately. */
  announce<Facts>(occasion: Occasion<Facts>, facts: Facts): void
  /**
   * Runs `fn` at the end of the group commit, inside its transaction, once however many writes ask
   * for it: for work that is cheaper in bulk. A throw fails the whole group.
   */
  beforeCommit(fn: (read: Read) => void): void
  /**
   * Runs `fn` after the commit, before the events of this write are delivered. It must not throw.
   */
  afterCommit(fn: () => void): void
}

export interface Store extends Read {
  /**
   * Runs `fn`, which must not await, in the next group commit. A throw rolls back `fn` alone.
   *
   * @param timed runs what follows the commit, so that the caller pays for it
   */
  write<T>(fn: (tx: Tx) => T, timed?: StepTimer): Promise<T>
  /** Commits the waiting writes, then closes the database. */
  close(): void
}

/** Runs `step` once, immediately. */
export type StepTimer = (step: () => void) => void
