import { reasons, type Table, type TableReport } from './report.ts'

/** The result of an import or a trial. */
export interface ImportReport {
  /** The name and the title of the source. */
  readonly format: string
  readonly title: string
  readonly organization: string
  /** Whether nothing was kept. */
  readonly isTrial: boolean
  /** The size of the unpacked export. */
  readonly bytes: number
  /** How long it took. */
  readonly milliseconds: number
  readonly tables: Readonly<Partial<Record<Table, TableReport>>>
  /** Sentences on what to do next. */
  readonly nextSteps: readonly string[]
}

/** The report as the operator reads it. */
export function reportText(report: ImportReport): string {
  const { isTrial, milliseconds, nextSteps, organization, tables, title } = report
  const lines = [
    `${isTrial ? 'Would import' : 'Imported'} the organization "${organization}" from ${title} (${(milliseconds / 1000).toFixed(1)} s).`,
    '',
    ...table(tables),
    ...Object.entries(tables).flatMap(([name, counts]) => details(title, name, counts)),
  ]
  if (nextSteps.length > 0) lines.push('', 'Next:', ...nextSteps.map((step) => `- ${step}`))
  return `${lines.join('\n')}\n`
}

function table(tables: ImportReport['tables']): string[] {
  const head = ['', 'read', 'imported', 'changed', 'skipped']
  const rows = Object.entries(tables).map(([name, { changed, imported, read, skipped }]) => [
    name,
    String(read),
    String(imported),
    String(sum(changed)),
    String(sum(skipped)),
  ])
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i]?.length ?? 0)))
  return [head, ...rows].map((row) =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}

type Counts = TableReport['changed']

function sum(counts: Counts): number {
  let total = 0
  for (const { count } of Object.values(counts)) total += count
  return total
}

function resultOf({ tried }: NonNullable<TableReport['toFetch']>): string {
  return tried === 'fetched' ? 'could be fetched' : `failed (${tried}): ${reasons[tried]}`
}

/** The reasons of a table, each with its examples. */
function details(
  title: string,
  name: string,
  { changed, skipped, toFetch }: TableReport,
): string[] {
  const lines = (what: string, counts: Counts) =>
    Object.entries(counts).map(([reason, { count, examples }]) => {
      const because = reasons[reason as keyof typeof reasons]
      const such = examples.length > 0 ? `, such as ${examples.join('; ')}` : ''
      return `  ${count} ${what} (${reason}): ${because}${such}`
    })
  const fetching = toFetch
    ? [`  ${toFetch.count} to be fetched from ${title}: the first one ${resultOf(toFetch)}`]
    : []
  const all = [...fetching, ...lines('changed', changed), ...lines('skipped', skipped)]
  return all.length > 0 ? ['', `${name}:`, ...all] : []
}
