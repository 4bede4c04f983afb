/** One line of the table: what was measured, and what it should be. */
export interface Line {
  readonly name: string
  /** With its unit, as people read it. */
  readonly figure: string
  readonly target?: string
  readonly met?: boolean
  /** What something plain took in the same run: how fast the machine is now. */
  readonly yardstick?: string
  /** The same of another program. */
  readonly other?: string
}

export function median(values: readonly number[]): number {
  return percentile(values, 50)
}

/** The smallest value that at least `percent` of all values do not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const value = sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)]
  if (value === undefined) throw new Error('Nothing was measured.')
  return value
}

/** Times of the same thing done often, in milliseconds; the target holds for its p99. */
export function latencyLine(name: string, times: readonly number[], limit?: number): Line {
  const slowest = percentile(times, 99)
  const figure = `${milliseconds(median(times))} p50, ${milliseconds(slowest)} p99`
  if (limit === undefined) return { name, figure }
  return { name, figure, target: `< ${limit} ms p99`, met: slowest < limit }
}

export function milliseconds(ms: number): string {
  return `${ms.toFixed(ms < 10 ? 2 : 0)} ms`
}

/**
 * The lines under one another, in columns; those that no line has are left out.
 *
 * @param other the name of the program of the column `other`
 */
export function table(lines: readonly Line[], other = ''): string {
  const rows = [
    ['what', 'figure', 'target', 'met', 'yardstick', other],
    ...lines.map(({ name, figure, target = '', met, yardstick = '', other: theirs = '' }) => [
      name,
      figure,
      target,
      met === undefined ? '' : met ? 'yes' : 'NO',
      yardstick,
      theirs,
    ]),
  ]
  const columns = [0, 1, 2, 3, 4, 5].filter((i) => rows.slice(1).some((row) => row[i] !== ''))
  const widths = columns.map((i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)))
  return rows
    .map((row) =>
      columns
        .map((i, at) => (row[i] ?? '').padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
