import type { SaveStatus } from './use-save.ts'

/** What the server refused about a parameter, for the field that shows it. */
export function problemAt(status: SaveStatus, parameter: string | undefined): string | undefined {
  if (status.kind !== 'failed' || parameter === undefined) return undefined
  return status.parameter === parameter ? status.problem : undefined
}

/**
 * What it refused about anything else.
 *
 * @param placed the parameters that have a field which shows their problems
 */
export function problemBelow(status: SaveStatus, placed: readonly string[]): string | undefined {
  if (status.kind !== 'failed') return undefined
  const isPlaced = status.parameter !== undefined && placed.includes(status.parameter)
  return isPlaced ? undefined : status.problem
}
