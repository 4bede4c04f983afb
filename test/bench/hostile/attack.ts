import type { Call } from './client.ts'
import type { World } from './world.ts'

/** What one account does to a server, as fast as the server lets it. */
export interface Attack {
  /** Says what is sent, as a heading. */
  readonly name: string
  /** Whose account it is; a member's by default. */
  readonly as?: 'member' | 'guest' | 'admin'
  /** What the server is configured with. */
  readonly env?: Readonly<Record<string, string>>
  /** What it must not reach, besides what no attack must. */
  readonly most?: { readonly mails?: number; readonly diskMegabytes?: number }
  /** Runs until its time is up, or it has nothing left to do. */
  run(attacker: Attacker): Promise<void>
}

/** The number of a request, from 0, to the request. */
export type Next = (i: number) => Call

export interface Attacker {
  readonly port: number
  readonly world: World
  /** The value of `Authorization` for connections that the attack makes by itself. */
  readonly authorization: string
  isOver(): boolean
  /** Resolves after this time, or when the attack is over. */
  rest(milliseconds: number): Promise<void>
  /** One call, retried while the rate limit refuses it. @throws Error anything but success */
  ask<T extends object = Record<string, unknown>>(call: Call): Promise<T>
  /** Calls without a rest on each of so many connections, until the attack is over. */
  flood(next: Next, connections?: number): Promise<void>
  /** Counts a connection that the attack made by itself. */
  count(what: string): void
}

/** How many connections an attack has that does not say. */
export const usualConnections = 8

/** An attack that makes the same kind of call all the time, after what it needs for that. */
export function flood(
  name: string,
  calls: (attacker: Attacker) => Next | Promise<Next>,
  { connections, ...more }: Omit<Attack, 'name' | 'run'> & { connections?: number } = {},
): Attack {
  return {
    name,
    ...more,
    run: async (attacker) => await attacker.flood(await calls(attacker), connections),
  }
}

/** The same call again and again. It is made when the attack begins, because some are large. */
export function repeated(
  name: string,
  make: (world: World) => Call,
  more: Omit<Attack, 'name' | 'run'> & { connections?: number } = {},
): Attack {
  return flood(
    name,
    ({ world }) => {
      const call = make(world)
      return () => call
    },
    more,
  )
}
