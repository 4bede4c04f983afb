import type { SystemContext } from '#platform/context.ts'

/** Something that can be wrong with a server. Features and the program list theirs. */
export interface HealthCheck {
  /** For monitoring: `disk`, `jobs`. */
  readonly name: string
  /** What is wrong, in a sentence for the operator; undefined: nothing. Called often. */
  problem(server: SystemContext): string | undefined
}

export interface CheckResult {
  readonly name: string
  readonly ok: boolean
  readonly problem?: string
}

/** Runs all checks. One that fails itself is a problem as well. */
export function runChecks(server: SystemContext, checks: readonly HealthCheck[]): CheckResult[] {
  return checks.map(({ name, problem }) => {
    try {
      const found = problem(server)
      return found === undefined ? { name, ok: true } : { name, ok: false, problem: found }
    } catch (error) {
      server.log.error({ check: name, err: error }, 'a health check failed')
      return { name, ok: false, problem: 'This could not be checked.' }
    }
  })
}
