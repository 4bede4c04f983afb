import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureClient } from './client.ts'
import { measureConnected } from './connected.ts'
import { measureDelivery } from './delivery.ts'
import { measureExport } from './export.ts'
import { type Line, table } from './figures.ts'
import { measureHistory } from './history.ts'
import { measureHostile } from './hostile.ts'
import { measureImport } from './import.ts'
import { measureMarkdown } from './markdown.ts'
import { measureBackup, measureRestart } from './million.ts'
import { measureMixed } from './mixed.ts'
import { measureParked } from './parked.ts'
import { measurePeers } from './peers.ts'
import { buildProgram, type Program } from './processes.ts'
import { measureQueues } from './queues.ts'
import { measureRegistering } from './registering.ts'
import { measureSends } from './send.ts'
import { measureStart } from './starting.ts'
import { measureStorm } from './storm.ts'
import { measureWebhooks } from './webhooks.ts'

/** @param detail what is wanted of the part, where it can be said; everything if empty */
type Part = (program: Program, folder: string, detail: string) => Promise<Line[]>

const parts: Readonly<Record<string, Part>> = {
  start: measureStart,
  send: measureSends,
  delivery: measureDelivery,
  parked: measureParked,
  queues: measureQueues,
  peers: measurePeers,
  register: measureRegistering,
  storm: measureStorm,
  history: measureHistory,
  markdown: measureMarkdown,
  hostile: measureHostile,
  client: measureClient,
  connected: measureConnected,
  mixed: measureMixed,
  webhooks: measureWebhooks,
  restart: measureRestart,
  backup: measureBackup,
  import: measureImport,
  export: measureExport,
}

const { values } = parseArgs({ options: { only: { type: 'string' } } })
/** `send,hostile:drafts` means the part `send`, and what has to do with drafts of the part `hostile`. */
const wanted = (values.only?.split(',') ?? Object.keys(parts)).map((text) => {
  const [name = '', detail = ''] = text.split(/:(.*)/s)
  return { name, detail }
})
const unknown = wanted.map(({ name }) => name).filter((name) => !parts[name])
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}, only ${Object.keys(parts).join(', ')}.`)
  process.exit(2)
}

const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
try {
  const program = buildProgram(folder)
  const lines: Line[] = []
  for (const { name, detail } of wanted) {
    console.error(`measuring: ${name}`)
    lines.push(...((await parts[name]?.(program, folder, detail)) ?? []))
  }
  console.log(table(lines))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
