import { AssertionError } from 'node:assert'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { describe } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { cpuMs } from './cpu.ts'
import { notesOn, withinLimit } from './hanging.ts'
import type { Ending, Failure, FileRequest, TestResult } from './messages.ts'
import { record } from './record.ts'
import { withSources } from './sources.ts'

// A process that runs the test files that its parent names, one after the other, each as one
// suite. Node loads this module as the program, and uses the same instance as its reporter.

/** How long what a file has opened may take to close: long where it waits beside other work. */
const closingLimitMs = 30_000

/** How long a browser may take to end, while other things are still open. */
const browserLimitMs = 3000

/** Resources that kept the process alive before the file that runs. */
let openBefore: string[] = []
/** Errors since the file began that nothing caught: Node fails the test that caused them, if any. */
let uncaught: unknown[] = []
let isEnding = false
let cpuBefore = 0
/** The names of the suites around what is reported: the file's is the first. */
const reported: string[] = []

process.on('message', ({ file }: FileRequest) => {
  const bundled = join(process.env.TEST_BUNDLE ?? '', file.replace(/ts$/, 'js'))
  // From here on only the file's own work keeps the process alive, so that Node cancels tests that
  // wait for what can no longer happen.
  process.channel?.unref()
  openBefore = process.getActiveResourcesInfo()
  uncaught = []
  process.exitCode = 0
  cpuBefore = cpuMs()
  describe(file, async () => {
    await withinLimit(() => import(pathToFileURL(bundled).href), `the top level of ${file}`)
  })
})
process.on('uncaughtExceptionMonitor', (error) => uncaught.push(error))
process.on('unhandledRejection', (error) => uncaught.push(error))
// The browser that its files have shared is closed by this signal too: the process ends after that.
process.once('SIGTERM', () => {
  process.disconnect()
  setTimeout(() => process.exit(), browserLimitMs).unref()
})
process.once('beforeExit', () => {
  isEnding = true
})

export default new Transform({
  writableObjectMode: true,
  async transform(event: TestEvent, _, done) {
    await tellParent(event)
    done()
  },
})

async function tellParent(event: TestEvent): Promise<void> {
  switch (event.type) {
    case 'test:start':
      reported.length = event.data.nesting
      reported.push(event.data.name)
      return
    case 'test:diagnostic':
      if (event.data.nesting > 0) record({ type: 'remark', text: event.data.message })
      return
    case 'test:pass':
    case 'test:fail':
      if (event.data.nesting > 0) record({ type: 'result', ...resultOf(event) })
      else await endFile(event)
  }
}

type Finished = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>

function resultOf(event: Finished): TestResult {
  const { name, nesting, skip, details } = event.data
  const failure = failureOf(event)
  return {
    names: [...reported.slice(1, nesting), name],
    isSuite: details.type === 'suite',
    outcome: outcomeOf(event, failure),
    durationMs: details.duration_ms,
    ...(typeof skip === 'string' && { reason: skip }),
    ...(failure && { failure }),
  }
}

/** What a test counts as, as Node counts. */
function outcomeOf({ type, data }: Finished, failure?: Failure): TestResult['outcome'] {
  if (data.skip !== undefined) return 'skipped'
  if (data.todo !== undefined) return 'todo'
  if (type === 'test:pass') return 'pass'
  return failure?.failureType === 'cancelledByParent' ? 'cancelled' : 'fail'
}

async function endFile(event: Finished): Promise<void> {
  const open = isEnding ? [] : await resourcesLeftOpen()
  const failure = failureOf(event)
  const problem =
    failure?.failureType === 'subtestsFailed' ? undefined : (failure ?? problemOutside(open))
  process.channel?.ref()
  const ending: Ending = {
    isLast: isEnding || open.length > 0,
    cpuMs: cpuMs() - cpuBefore,
    ...(problem && { failure: problem }),
  }
  process.send?.(ending)
}

/** Why a test failed, with what else is known of that. */
function failureOf(event: Finished): Failure | undefined {
  if (event.type !== 'test:fail') return undefined
  // Node's error is around whatever the test threw.
  const { failureType, cause = event.data.details.error } = event.data.details.error as Error & {
    failureType: string
  }
  // The message of a failed assertion holds the difference; its properties would repeat it.
  const text = cause instanceof AssertionError ? (cause.stack ?? cause.message) : inspect(cause)
  const told = withSources([text, ...notesOn(cause)].join('\n'), process.env.TEST_BUNDLE ?? '')
  return { failureType, text: withoutRunner(told) }
}

/** An error without the lines of its stack that lead through this runner and through Node. */
function withoutRunner(text: string): string {
  return text.replaceAll(/\n +at (?:.*\/test\/runner\/.*|.*\bnode:.*|new Promise \(.*)/g, '')
}

/** What is wrong although every test of the file passed. */
function problemOutside(leftOpen: readonly string[]): Failure | undefined {
  const failureType = 'testCodeFailure'
  // Node sets it when an error belongs to no test.
  if (process.exitCode) {
    return {
      failureType,
      text: withSources(
        `Outside of the tests: ${uncaught.map((each) => inspect(each)).join('\n')}`,
        process.env.TEST_BUNDLE ?? '',
      ),
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
