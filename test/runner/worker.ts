import { AssertionError } from 'node:assert'
import { findSourceMap } from 'node:module'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { describe } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import type { Failure, FileRequest, ShownEvent, WorkerMessage } from './messages.ts'

// A process that runs the test files that its parent names, one after the other, each as one
// suite. Node loads this module as the program, and uses the same instance as its reporter.

const shown = ['test:start', 'test:pass', 'test:fail', 'test:diagnostic']
/** How long what a file has opened may take to close: long where it waits beside other work. */
const closingLimitMs = 30_000

/** Resources that kept the process alive before the file that runs. */
let openBefore: string[] = []
/** Errors since the file began that nothing caught: Node fails the test that caused them, if any. */
let uncaught: unknown[] = []
let isEnding = false

process.on('message', ({ file }: FileRequest) => {
  const bundled = join(process.env.TEST_BUNDLE ?? '', file.replace(/ts$/, 'js'))
  // From here on only the file's own work keeps the process alive, so that Node cancels tests that
  // wait for what can no longer happen.
  process.channel?.unref()
  openBefore = process.getActiveResourcesInfo()
  uncaught = []
  process.exitCode = 0
  describe(file, async () => {
    await import(pathToFileURL(bundled).href)
  })
})
process.on('uncaughtExceptionMonitor', (error) => uncaught.push(error))
process.on('unhandledRejection', (error) => uncaught.push(error))
process.once('beforeExit', () => {
  isEnding = true
})

export default new Transform({
  writableObjectMode: true,
  async transform(event: TestEvent, _, done) {
    if (isShown(event)) await tellParent(event)
    done()
  },
})

function isShown(event: TestEvent): event is ShownEvent {
  return shown.includes(event.type)
}

async function tellParent(event: ShownEvent): Promise<void> {
  const failure = event.type === 'test:fail' ? describeFailure(event.data.details.error) : undefined
  if (event.data.nesting > 0) {
    send({ type: 'result', event: located(event), ...(failure && { failure }) })
  } else if (event.type === 'test:pass' || event.type === 'test:fail') {
    const open = isEnding ? [] : await resourcesLeftOpen()
    const problem =
      failure?.failureType === 'subtestsFailed' ? undefined : (failure ?? problemOutside(open))
    process.channel?.ref()
    send({
      type: 'ending',
      isLast: isEnding || open.length > 0,
      ...(problem && { failure: problem }),
    })
  }
}

function send(message: WorkerMessage): void {
  process.send?.(message)
}

/**
 * The event without the error. That of a failure has its place in the source instead of the bundle:
 * nobody is told the others', and to find them takes the parsing of a source map for each file.
 */
function located({ type, data }: ShownEvent): ShownEvent {
  const { file = '', line = 1, column = 1 } = data
  const map = type === 'test:fail' ? findSourceMap(file) : undefined
  const entry = map?.findEntry(line - 1, column - 1)
  const place = entry &&
    'originalSource' in entry && {
      file: fileURLToPath(entry.originalSource),
      line: entry.originalLine + 1,
      column: entry.originalColumn + 1,
    }
  const details = 'details' in data && { details: { ...data.details, error: undefined } }
  return { type, data: { ...data, ...place, ...details } } as ShownEvent
}

/** @param error Node's, around whatever the test threw */
function describeFailure(error: Error): Failure {
  const { failureType, cause = error } = error as Error & { failureType: string }
  // The message of a failed assertion holds the difference; its properties would repeat it.
  const text = cause instanceof AssertionError ? (cause.stack ?? cause.message) : inspect(cause)
  return { failureType, text }
}

/** What is wrong although every test of the file passed. */
function problemOutside(leftOpen: readonly string[]): Failure | undefined {
  const failureType = 'testCodeFailure'
  // Node sets it when an error belongs to no test.
  if (process.exitCode) {
    return {
      failureType,
      text: `Outside of the tests: ${uncaught.map((each) => inspect(each)).join('\n')}`,
    }
  }
  if (leftOpen.length > 0) {
    return { failureType, text: `Left open after the last test: ${leftOpen.join(', ')}` }
  }
  return undefined
}

/** What keeps the process alive that did not before the file; waits for what is being closed. */
async function resourcesLeftOpen(): Promise<string[]> {
  for (let waitedMs = 0; ; waitedMs += 10) {
    const before = [...openBefore]
    const left = process.getActiveResourcesInfo().filter((resource) => {
      const known = before.indexOf(resource)
      if (known >= 0) before.splice(known, 1)
      return known < 0
    })
    if (left.length === 0 || waitedMs >= closingLimitMs) return left
    await wait(10)
  }
}
