/** One line of the table: what was measured, and what it should be. */
export interface Line {
  readonly name: string
  /** With its unit, as people read it. */
  readonly figure: string
  readonly target?: string
  readonly met?: boolean
  /** What something plain took in the same run: how fast the machine is now. */
  readonly yardstick?: string
  /** The same of other programs, by their names. */
  readonly others?: Readonly<Record<string, string>>
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

/** The lines under one another, in columns; those that no line has are left out. */
export function table(lines: readonly Line[]): string {
  const programs = new Set(lines.flatMap(({ others = {} }) => Object.keys(others)))
  const rows = [
    ['what', 'figure', 'target', 'met', 'yardstick', ...programs],
    ...lines.map(({ name, figure, target = '', met, yardstick = '', others = {} }) => [
      name,
      figure,
      target,
      met === undefined ? '' : met ? 'yes' : 'NO',
      yardstick,
      ...[...programs].map((program) => others[program] ?? ''),
    ]),
  ]
  const columns = [...(rows[0] ?? []).keys()].filter((i) => rows.slice(1).some((row) => row[i]))
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
