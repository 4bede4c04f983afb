/** One line of the table: what was measured, and what it should be. */
export interface Line {
  readonly name: string
  /** With its unit, as people read it. */
  readonly figure: string
  readonly target?: string
  readonly met?: boolean
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

/** The lines under one another, in columns. */
export function table(lines: readonly Line[]): string {
  const rows = [
    ['what', 'figure', 'target', 'met'],
    ...lines.map(({ name, figure, target = '', met }) => [
      name,
      figure,
      target,
      met === undefined ? '' : met ? 'yes' : 'NO',
    ]),
  ]
  const widths = [0, 1, 2, 3].map((i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
