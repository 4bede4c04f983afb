import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import type { Ending, Failure, FileRequest, TestResult } from './messages.ts'
import { createRecordFile, recordVariable } from './record.ts'
import type { FileResult } from './report.ts'
import { takeSelection } from './selection.ts'

/** A process that says nothing for so long hangs where it cannot end a test by itself. */
const usualSilenceMs = 120_000

/** Room for young objects, in MB: with less, collecting them takes a tenth of a run. */
const heapOption = '--max-semi-space-size=64'

/** How long a process may take to stop. */
const stoppingLimitMs = 15_000

export interface WorkerOptions {
  /** Folder of the bundle. */
  readonly bundle: string
  /** Node's; `--test-name-pattern` and `--test-skip-pattern` select tests of any file. */
  readonly nodeOptions: readonly string[]
  /** Variables of the environment besides those of this process. */
  readonly env?: Readonly<Record<string, string>>
  /** How long nothing may be heard of a file; default: two minutes. */
  readonly silenceLimitMs?: number
}

/**
 * Runs the files of a queue, which several may share, one after the other in one process. A process
 * is replaced when it crashes, hangs, or has something left open.
 */
export async function runFiles(
  queue: string[],
  options: WorkerOptions,
  add: (result: FileResult) => void,
): Promise<void> {
  let worker: Worker | undefined
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    if (!worker || worker.isGone()) worker = startWorker(options)
    const { isLast, ...result } = await worker.run(file)
    add(result)
    if (isLast) {
      await worker.stop()
      worker = undefined
    }
  }
  await worker?.stop()
}

interface Worker {
  /** Whether its process has ended, as one does that a test leaves behind broken. */
  isGone(): boolean
  run(file: string): Promise<FileResult & { readonly isLast: boolean }>
  stop(): Promise<void>
}

function startWorker({
  bundle,
  nodeOptions,
  env = {},
  silenceLimitMs = usualSilenceMs,
}: WorkerOptions): Worker {
  const program = join(bundle, 'test/runner/worker.js')
  const { others, selection } = takeSelection(nodeOptions)
  const records = createRecordFile()
  const child = fork(program, {
    execArgv: [heapOption, `--test-reporter=${pathToFileURL(program)}`, ...others],
    env: {
      ...process.env,
      ...env,
      TEST_BUNDLE: bundle,
      TEST_SELECTION: JSON.stringify(selection),
      [recordVariable]: records.path,
    },
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let results: TestResult[] = []
  /** The names of the test that began last; empty before the first. */
  let running: readonly string[] = []
  let output = ''
  let end = (_: Ending) => {}
  let silence: NodeJS.Timeout | undefined
  let started = 0
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (text: Buffer) => {
      output += text
    })
  }
  child.on('message', (ending: Ending) => {
    listen()
    end(ending)
  })
  const isGone = () => child.exitCode !== null || child.signalCode !== null
  child.on('close', (code, signal) => {
    breakOff(`Its process ended with ${signal ?? code}.`)
    records.remove()
  })

  /** Takes what the process has said so far. */
  function listen(): void {
    for (const entry of records.take()) {
      if (entry.type === 'result') results.push(entry)
      else if (entry.type === 'running') running = entry.names
      else output += `${entry.text}\n`
    }
  }

  /** Breaks off what has said nothing for too long. */
  function hear(): void {
    const isSilent = records.size() === 0
    if (isSilent) breakOff(`Nothing was heard of its process for ${silenceLimitMs / 1000} s.`)
    else listen()
  }

  /** Ends the file in the name of the test that was running, if one was. */
  function breakOff(text: string): void {
    listen()
    const failure: Failure = { failureType: 'testCodeFailure', text }
    const isDone = results.some(({ names }) => isDeepStrictEqual(names, running))
    if (running.length > 0 && !isDone) {
      const durationMs = performance.now() - started
      results.push({ names: running, isSuite: false, outcome: 'fail', durationMs, failure })
    }
    end({ failure, isLast: true, cpuMs: 0 })
  }

  return {
    isGone,
    async run(file) {
      started = performance.now()
      results = []
      running = []
      output = ''
      const { failure, isLast, cpuMs } = await new Promise<Ending>((resolve) => {
        end = resolve
        silence = setInterval(hear, silenceLimitMs)
        // A process that is gone says so by `close`.
        child.send({ file } satisfies FileRequest, () => {})
      })
      clearInterval(silence)
      const durationMs = performance.now() - started
      return { file, results, output, failure, durationMs, cpuMs, isLast }
    },
    async stop() {
      if (isGone()) return
      const exit = once(child, 'close')
      // By this signal it closes the browser that its files have shared.
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), stoppingLimitMs)
      await exit
      clearTimeout(timer)
    },
  }
}
