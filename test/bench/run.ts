import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureDelivery } from './delivery.ts'
import { type Line, table } from './figures.ts'
import { measureHistory } from './history.ts'
import { measureMarkdown } from './markdown.ts'
import { buildProgram, type Program } from './processes.ts'
import { measureSends } from './send.ts'
import { measureStart } from './starting.ts'

const parts: Readonly<Record<string, (program: Program, folder: string) => Promise<Line[]>>> = {
  start: measureStart,
  send: measureSends,
  delivery: measureDelivery,
  history: measureHistory,
  markdown: measureMarkdown,
}

const { values } = parseArgs({ options: { only: { type: 'string' } } })
const wanted = values.only?.split(',') ?? Object.keys(parts)
const unknown = wanted.filter((name) => !parts[name])
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}, only ${Object.keys(parts).join(', ')}.`)
  process.exit(2)
}

const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
try {
  const program = buildProgram(folder)
  const lines: Line[] = []
  for (const name of wanted) {
    console.error(`measuring: ${name}`)
    lines.push(...((await parts[name]?.(program, folder)) ?? []))
  }
  console.log(table(lines))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
