import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Ending, FileRequest, TestResult, WorkerMessage } from './messages.ts'
import type { FileResult } from './report.ts'
import { takeSelection } from './selection.ts'

/** A file of which nothing is heard for so long counts as hung, however long it runs. */
const usualSilenceMs = 240_000

/** How long a process may take to stop. */
const stoppingLimitMs = 15_000

export interface WorkerOptions {
  /** Folder of the bundle. */
  readonly bundle: string
  /** Node's; `--test-name-pattern` and `--test-skip-pattern` select tests of any file. */
  readonly nodeOptions: readonly string[]
  /** Variables of the environment besides those of this process. */
  readonly env?: Readonly<Record<string, string>>
  /** How long nothing may be heard of a file; default: four minutes. */
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
    worker ??= startWorker(options)
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
  const child = fork(program, {
    execArgv: ['--enable-source-maps', `--test-reporter=${pathToFileURL(program)}`, ...others],
    env: {
      ...process.env,
      ...env,
      TEST_BUNDLE: bundle,
      TEST_SELECTION: JSON.stringify(selection),
    },
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let results: TestResult[] = []
  let output = ''
  let end = (_: Ending) => {}
  let silence: NodeJS.Timeout | undefined
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (text: Buffer) => {
      output += text
    })
  }
  child.on('message', (message: WorkerMessage) => {
    silence?.refresh()
    if (message.type === 'result') results.push(message)
    else end(message)
  })
  child.on('close', (code, signal) => end(broken(`Its process ended with ${signal ?? code}.`)))

  return {
    async run(file) {
      const started = performance.now()
      results = []
      output = ''
      const { failure, isLast } = await new Promise<Ending>((resolve) => {
        end = resolve
        const hung = broken(`Nothing was heard of it for ${silenceLimitMs / 1000} s.`)
        silence = setTimeout(resolve, silenceLimitMs, hung)
        child.send({ file } satisfies FileRequest)
      })
      clearTimeout(silence)
      silence = undefined
      const durationMs = performance.now() - started
      return { file, results, output, failure, durationMs, isLast }
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exit = once(child, 'exit')
      // By this signal it closes the browser that its files have shared.
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), stoppingLimitMs)
      await exit
      clearTimeout(timer)
    },
  }
}

function broken(text: string): Ending {
  return { failure: { failureType: 'testCodeFailure', text }, isLast: true }
}
