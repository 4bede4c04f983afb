import type { SaveStatus } from './use-save.ts'

/** What the server refused, by the parameter that it is about. */
export type Problems<P extends string> = Readonly<Partial<Record<P, string>>>

/** What a form shows of a refusal. */
interface Placed<P extends string> {
  /** The problem at the field of its parameter. */
  readonly problems: Problems<P>
  /** A problem of none of these fields, for below them. */
  readonly other: string | undefined
}

/**
 * Finds the field of a refusal by the parameter that the server names.
 *
 * @param parameters those that have a field which shows its problem
 */
export function placeProblem<P extends string>(
  status: SaveStatus,
  parameters: readonly P[],
): Placed<P> {
  const problems: Partial<Record<P, string>> = {}
  if (status.kind !== 'failed') return { problems, other: undefined }
  const parameter = parameters.find((each) => each === status.parameter)
  if (parameter === undefined) return { problems, other: status.problem }
  problems[parameter] = status.problem
  return { problems, other: undefined }
}
