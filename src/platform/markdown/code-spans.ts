/** Maps the start of each run of backticks that opens code to the end of the run that closes it. */
export function codeClosers(text: string): Map<number, number> {
  const closers = new Map<number, number>()
  if (!text.includes('`')) return closers
  const runs = [...text.matchAll(/`+/g)].map((run) => ({ at: run.index, size: run[0].length }))
  const later = new Map<number, number[]>()
  for (let index = runs.length - 1; index >= 0; index--) {
    const run = runs[index]
    if (!run) continue
    const same = later.get(run.size)
    if (same) same.push(run.at)
    else later.set(run.size, [run.at])
  }
  let free = 0
  for (const run of runs) {
    const same = later.get(run.size) ?? []
    same.pop()
    if (run.at < free || text[run.at - 1] === '\\') continue
    const close = same.at(-1)
    if (close === undefined) continue
    free = close + run.size
    closers.set(run.at, free)
  }
  return closers
}
