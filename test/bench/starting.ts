import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Line, median, milliseconds } from './figures.ts'
import { addPeople, seedFolder } from './organization.ts'
import { environment, type Program, startServer } from './processes.ts'
import { residentMegabytes } from './watching.ts'

const starts = 7
const limitMs = { program: 300, executable: 150 }
const limitMegabytes = 90
/** How long a server does nothing before its memory is read, in milliseconds. */
const idleMs = 2000

/** What Node takes to start and to end, in milliseconds. */
function timeNode(): number {
  const times = Array.from({ length: starts }, () => {
    const began = performance.now()
    execFileSync(process.execPath, ['-e', '0'], { env: environment })
    return performance.now() - began
  })
  return median(times)
}

/** From the start of the process to its first answer, and what it holds when it does nothing. */
export async function measureStart(program: Program, folder: string): Promise<Line[]> {
  const data = join(folder, 'start')
  mkdirSync(data)
  await seedFolder(data, (tx) => void addPeople(tx, 10))
  return [
    ...(await startLines('parley.cjs', program.file, data, limitMs.program)),
    ...(await startLines('the executable', program.executable, data, limitMs.executable)),
  ]
}

async function startLines(
  name: string,
  command: readonly string[],
  data: string,
  limit: number,
): Promise<Line[]> {
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
      target: `< ${limit} ms`,
      met: start < limit,
      yardstick: `${milliseconds(timeNode())} node -e 0`,
    },
    {
      name: `resident memory of ${name}, idle`,
      figure: `${memory.toFixed(0)} MB`,
      target: `< ${limitMegabytes} MB`,
      met: memory < limitMegabytes,
    },
  ]
}
