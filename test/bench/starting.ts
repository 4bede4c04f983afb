import { execFileSync, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Line, median, milliseconds } from './figures.ts'
import { largeFolder } from './million.ts'
import { environment, type Program, startServer } from './processes.ts'
import { residentMegabytes } from './watching.ts'

const starts = 7
/** How much longer than Node itself a program may take, and how much more memory it may hold. */
const goals = {
  file: { time: 6, memory: 2.5 },
  executable: { time: 3, memory: 1.5 },
}
/** How long a server does nothing before its memory is read, in milliseconds. */
const idleMs = 2000

interface Yardstick {
  /** What Node takes to start and to end, in milliseconds. */
  readonly ms: number
  /** What Node holds when it does nothing. */
  readonly megabytes: number
}

/** The same release of Node as in the programs, without one. */
async function measureNode(): Promise<Yardstick> {
  const times = Array.from({ length: starts }, () => {
    const began = performance.now()
    execFileSync(process.execPath, ['-e', '0'], { env: environment })
    return performance.now() - began
  })
  const args = ['-e', `setTimeout(() => {}, ${2 * idleMs})`]
  const idle = spawn(process.execPath, args, { env: environment })
  await sleep(idleMs)
  const megabytes = residentMegabytes(idle.pid ?? 0)
  idle.kill()
  return { ms: median(times), megabytes }
}

/**
 * From the start of the process to its first answer, and what it holds when it does nothing: with a
 * million messages in the folder, against Node itself.
 */
export async function measureStart(program: Program, folder: string): Promise<Line[]> {
  const { data } = await largeFolder(folder)
  const node = await measureNode()
  return [
    ...(await startLines('parley.cjs', program.file, data, node, goals.file)),
    ...(await startLines('the executable', program.executable, data, node, goals.executable)),
  ]
}

async function startLines(
  name: string,
  command: readonly string[],
  data: string,
  node: Yardstick,
  goal: { readonly time: number; readonly memory: number },
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
  const ratios = { time: start / node.ms, memory: memory / node.megabytes }
  return [
    {
      name: `start of ${name} to its first answer`,
      figure: `${milliseconds(start)}, ${ratios.time.toFixed(1)} times node -e 0`,
      target: `<= ${goal.time} times`,
      met: ratios.time <= goal.time,
      yardstick: `${milliseconds(node.ms)} node -e 0`,
    },
    {
      name: `resident memory of ${name}, idle`,
      figure: `${memory.toFixed(0)} MB, ${ratios.memory.toFixed(1)} times Node's`,
      target: `<= ${goal.memory} times`,
      met: ratios.memory <= goal.memory,
      yardstick: `${node.megabytes.toFixed(0)} MB Node`,
    },
  ]
}
