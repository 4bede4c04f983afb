/** The options of Node that say which tests run, each with a pattern. */
const selecting = /^--test-(name|skip)-pattern=/

/** Which tests run, by their names after those of the suites around them. */
export interface Selection {
  /** One of them has to match; empty: all run. */
  readonly names: readonly string[]
  /** None of them may match. */
  readonly skipped: readonly string[]
}

/** Divides options into those that Node is to get, and what they select. */
export function takeSelection(options: readonly string[]): {
  readonly others: readonly string[]
  readonly selection: Selection
} {
  const patternsOf = (kind: string) =>
    options
      .filter((option) => selecting.exec(option)?.[1] === kind)
      .map((option) => option.replace(selecting, ''))
  return {
    others: options.filter((option) => !selecting.test(option)),
    selection: { names: patternsOf('name'), skipped: patternsOf('skip') },
  }
}

/** Says of a name whether it is selected. */
export function selector({
  names = [],
  skipped = [],
}: Partial<Selection>): (name: string) => boolean {
  const wanted = names.map(patternOf)
  const unwanted = skipped.map(patternOf)
  return (name) =>
    (wanted.length === 0 || wanted.some((pattern) => pattern.test(name))) &&
    !unwanted.some((pattern) => pattern.test(name))
}

/** As Node reads one: a regular expression, or one between slashes with flags after it. */
function patternOf(text: string): RegExp {
  const [, pattern = text, flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(text) ?? []
  return new RegExp(pattern, flags)
}
