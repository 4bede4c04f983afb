import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import { spec } from 'node:test/reporters'
import type { Failure, ShownEvent, TestResult } from './messages.ts'

export interface FileResult {
  readonly file: string
  /** What its tests did, in order. */
  readonly results: readonly TestResult[]
  /** What the process printed meanwhile. */
  readonly output: string
  /** What failed outside of the tests, such as the whole process. */
  readonly failure: Failure | undefined
  readonly durationMs: number
}

export interface Report {
  add(result: FileResult): void
  /** Prints the summary, and returns whether everything passed. */
  end(): Promise<boolean>
}

type Outcome = 'pass' | 'fail' | 'cancelled' | 'skipped' | 'todo'

/**
 * Shows results through Node's own reporter, with each file as a suite.
 *
 * @param everything whether to list the tests that pass too, not only their files
 */
export function startReport(everything: boolean): Report {
  const started = performance.now()
  const counts = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 }
  const events = new PassThrough({ objectMode: true })
  const text = events.pipe(new spec())
  text.pipe(process.stdout)

  function count(outcome: Outcome): void {
    counts.tests += 1
    counts[outcome] += 1
  }

  return {
    add({ file, results, output, failure, durationMs }) {
      for (const { event } of results) if (isSuite(event)) counts.suites += 1
      for (const outcome of results.map(outcomeOf)) if (outcome) count(outcome)
      if (failure) count('fail')
      const suite = { name: file, nesting: 0, file, line: 1, column: 1 }
      const details = { duration_ms: durationMs, type: 'suite' }
      events.write({ type: 'test:start', data: suite })
      if (output) events.write({ type: 'test:stderr', data: { file, message: output } })
      for (const result of everything ? results : withoutPassed(results)) {
        events.write(withError(result.event, result.failure))
      }
      const failed = failureOf({ failure, results })
      const type = failed ? 'test:fail' : 'test:pass'
      events.write(withError({ type, data: { ...suite, details } } as ShownEvent, failed))
    },

    async end() {
      const summary = { ...counts, duration_ms: performance.now() - started }
      for (const [name, value] of Object.entries(summary)) {
        events.write({ type: 'test:diagnostic', data: { nesting: 0, message: `${name} ${value}` } })
      }
      events.end()
      await finished(text)
      return counts.fail + counts.cancelled === 0
    },
  }
}

/** Why a file failed; undefined if it passed. */
export function failureOf({
  failure,
  results,
}: Pick<FileResult, 'failure' | 'results'>): Failure | undefined {
  return failure ?? (results.some(isFailed) ? subtestsFailed : undefined)
}

const subtestsFailed: Failure = { failureType: 'subtestsFailed', text: 'tests of this file failed' }

const isSuite = ({ type, data }: ShownEvent) =>
  (type === 'test:pass' || type === 'test:fail') && data.details.type === 'suite'

/** What a test counts as, as Node counts; undefined for suites and what is no result. */
function outcomeOf({ event, failure }: TestResult): Outcome | undefined {
  const { type, data } = event
  if ((type !== 'test:pass' && type !== 'test:fail') || isSuite(event)) return undefined
  if (data.skip !== undefined) return 'skipped'
  if (data.todo !== undefined) return 'todo'
  if (type === 'test:pass') return 'pass'
  return failure?.failureType === 'cancelledByParent' ? 'cancelled' : 'fail'
}

const isFailed = ({ event }: TestResult) =>
  event.type === 'test:fail' && event.data.todo === undefined

/** Leaves out tests and suites that passed, but not those that were skipped: they tell why. */
function withoutPassed(results: readonly TestResult[]): TestResult[] {
  const kept: TestResult[] = []
  const starts: number[] = []
  for (const result of results) {
    const { type, data } = result.event
    if (type === 'test:start') starts.push(kept.length)
    kept.push(result)
    if (type === 'test:fail') starts.pop()
    if (type !== 'test:pass') continue
    const start = starts.pop() ?? 0
    const isEmpty = kept.length === start + 2
    if (isEmpty && data.skip === undefined) kept.length = start
  }
  return kept
}

/** The event as a reporter expects it: with an error around the error of the test. */
function withError(event: ShownEvent, failure: Failure | undefined): object {
  if (event.type !== 'test:fail' || !failure) return event
  const { failureType, text } = failure
  const cause = Object.assign(new Error(), { stack: text })
  const error = Object.assign(new Error(text, { cause }), { code: 'ERR_TEST_FAILURE', failureType })
  return { ...event, data: { ...event.data, details: { ...event.data.details, error } } }
}
