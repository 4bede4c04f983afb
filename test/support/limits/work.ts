import type { Database, RunResult, Statement } from 'better-sqlite3'
import type { TestServer } from '#test/support/server.ts'

/** How a statement is run, with how many rows that gave or changed. */
const ways: Record<'run' | 'get' | 'all', (result: unknown) => number> = {
  run: (result) => (result as RunResult).changes,
  get: (result) => (result === undefined ? 0 : 1),
  all: (result) => (result as unknown[]).length,
}

/**
 * Counts what is asked of the database while something runs: its statements and the rows that they
 * give or change. The same on any machine, and for whatever else runs there.
 */
export async function workOf(server: TestServer, act: () => unknown): Promise<number> {
  let work = 0
  await counting(server, (more) => (work += more), act)
  return work
}

/** The same for the turn of the event loop in which most of it is done. */
export async function mostWorkInATurn(server: TestServer, act: () => unknown): Promise<number> {
  let most = 0
  let now = 0
  let isTurnOpen = false
  const count = (more: number) => {
    now += more
    most = Math.max(most, now)
    if (isTurnOpen) return
    isTurnOpen = true
    setImmediate(() => {
      now = 0
      isTurnOpen = false
    })
  }
  await counting(server, count, act)
  return most
}

/** Counts statements and rows while something runs. */
async function counting(
  server: TestServer,
  count: (work: number) => void,
  act: () => unknown,
): Promise<void> {
  const sqlite: Database = server.server.context.store.db.$client
  const prototype = Object.getPrototypeOf(sqlite.prepare('SELECT 1')) as Statement
  const usual = { ...methodsOf(prototype) }
  for (const [way, rows] of Object.entries(ways)) {
    const method = usual[way as keyof typeof ways]
    Object.assign(prototype, {
      [way](this: Statement, ...bound: unknown[]) {
        const result: unknown = method.apply(this, bound)
        count(1 + rows(result))
        return result
      },
    })
  }
  Object.assign(prototype, {
    *iterate(this: Statement, ...bound: unknown[]) {
      count(1)
      for (const row of usual.iterate.apply(this, bound)) {
        count(1)
        yield row
      }
    },
  })
  try {
    await act()
  } finally {
    Object.assign(prototype, usual)
  }
}

const methodsOf = ({ run, get, all, iterate }: Statement) => ({ run, get, all, iterate })
