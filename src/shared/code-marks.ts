/**
 * The backticks around code, or the fence around a block: a run that is longer than any in the text.
 *
 * @param least the length of the shortest run
 */
export function longerMarks(text: string, least: number): string {
  const runs = text.match(/`+/g) ?? []
  return '`'.repeat(runs.reduce((most, run) => Math.max(most, run.length + 1), least))
}
