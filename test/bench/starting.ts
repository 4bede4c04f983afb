import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Line, median, milliseconds } from './figures.ts'
import { addPeople, seedFolder } from './organization.ts'
import { type Program, startServer } from './processes.ts'
import { residentMegabytes } from './watching.ts'

const starts = 7
const limitMs = 300
const limitMegabytes = 120
/** How long a server does nothing before its memory is read, in milliseconds. */
const idleMs = 2000

/** From the start of the process to its first answer, and what it holds when it does nothing. */
export async function measureStart(program: Program, folder: string): Promise<Line[]> {
  const data = join(folder, 'start')
  mkdirSync(data)
  await seedFolder(data, (tx) => void addPeople(tx, 10))
  return [
    ...(await startLines('parley.cjs', program.file, data)),
    ...(await startLines('the executable', program.executable, data)),
  ]
}

async function startLines(name: string, command: readonly string[], data: string): Promise<Line[]> {
  const times: number[] = []
  for (let i = 0; i < starts; i++) {
    const server = await startServer(command, data)
    times.push(server.startMs)
    await server.stop()
  }
  const server = await startServer(command, data)
  await sleep(idleMs)
  const memory = residentMegabytes(server.pid)
  await server.stop()
  const start = median(times)
  return [
    {
      name: `start of ${name} to its first answer`,
      figure: milliseconds(start),
      target: `< ${limitMs} ms`,
      met: start < limitMs,
    },
    {
      name: `resident memory of ${name}, idle`,
      figure: `${memory.toFixed(0)} MB`,
      target: `< ${limitMegabytes} MB`,
      met: memory < limitMegabytes,
    },
  ]
}
