import { variables } from '#program/variables.ts'

/** How many letters of a name may be wrong for it to count as a misspelling. */
const mostWrong = 3

/**
 * Warnings about variables in an environment that look like settings but are not. They are no
 * errors: Kubernetes, for example, sets some for each service of this name.
 *
 * @returns a sentence for each
 */
export function unknownSettings(env: NodeJS.ProcessEnv): string[] {
  const unknown = Object.keys(env).filter((name) => name.startsWith('PARLEY_') && !isSetting(name))
  return unknown.sort().map(noSuchSetting)
}

export const isSetting = (name: string): boolean =>
  name === 'PARLEY_CONFIG' || variables.some((variable) => variable.name === name)

/** Says that a setting does not exist, and which one may be meant. */
export function noSuchSetting(name: string): string {
  const [nearest] = variables
    .map((variable) => ({ name: variable.name, wrong: distance(name, variable.name) }))
    .sort((a, b) => a.wrong - b.wrong)
  const meant =
    nearest && nearest.wrong <= mostWrong
      ? `Is ${nearest.name} meant?`
      : '"parley config" lists them.'
  return `Unknown setting ${name}. ${meant}`
}

/**
 * The number of letters to insert, delete, replace or swap with their neighbours to turn one text
 * into the other.
 */
function distance(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, j) => j)]
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    rows.push(row)
    for (let j = 1; j <= to.length; j++) {
      const isSwap = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      row[j] = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + Number(from[i - 1] !== to[j - 1]),
        isSwap ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
  }
  return at(from.length, to.length)
}
