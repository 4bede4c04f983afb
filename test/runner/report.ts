import type { Failure, TestResult } from './messages.ts'

export interface FileResult {
  readonly file: string
  /** What its tests and suites did, in order. */
  readonly results: readonly TestResult[]
  /** What the process printed meanwhile, and what tests remarked. */
  readonly output: string
  /** What failed outside of the tests, such as the whole process. */
  readonly failure: Failure | undefined
  readonly durationMs: number
  /** CPU of its process and of that one's children that ended meanwhile, in milliseconds. */
  readonly cpuMs: number
}

export interface ReportOptions {
  /** Whether to list the tests that pass too, not only their files. */
  readonly everything: boolean
  /** Whether to list the files that took most. */
  readonly slow: boolean
  /** What a command that repeats a test begins with, such as `npm test --`. */
  readonly command: string
  /** Said in the summary besides the numbers of tests, by name. */
  readonly facts: () => Readonly<Record<string, string | number>>
  /** Takes lines; default: standard output. */
  readonly print?: (text: string) => void
}

export interface Report {
  add(result: FileResult): void
  /** Prints a line at once and with the summary. */
  remark(text: string): void
  /** Prints the summary, and returns whether everything passed. */
  end(): boolean
}

/** How many of the slowest files are listed. */
const slowest = 30

const signs = { pass: '✔', fail: '✖', cancelled: '✖', skipped: '﹣', todo: '⚠' } as const

/** Shows results as they come, and all that failed once more in the end, in full. */
export function startReport({
  everything,
  slow,
  command,
  facts,
  print = printLine,
}: ReportOptions): Report {
  const started = performance.now()
  const counts = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 }
  const files: FileResult[] = []
  const remarks: string[] = []

  function showFile(result: FileResult): void {
    const { file, results, output, durationMs } = result
    print(`${failureOf(result) ? '✖' : '✔'} ${file} (${Math.round(durationMs)} ms)`)
    for (const each of results) {
      if (each.isSuite ? isOwnFailure(each) : everything || isFailed(each)) print(shown(each))
    }
    if (output && (everything || failureOf(result))) print(indented(output.trimEnd()))
  }

  /** Says how many tests and suites were skipped, by the reason. */
  function showSkipped(): void {
    const reasons = new Map<string, number>()
    for (const { outcome, reason = 'no reason given' } of files.flatMap((file) => file.results)) {
      if (outcome === 'skipped') reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
    }
    for (const [reason, count] of reasons) print(`﹣ ${count} skipped: ${reason}`)
  }

  return {
    add(result) {
      files.push(result)
      for (const { isSuite, outcome } of result.results) {
        counts[isSuite ? 'suites' : 'tests'] += 1
        if (!isSuite) counts[outcome] += 1
      }
      if (result.failure) counts.fail += 1
      showFile(result)
    },

    remark(text) {
      remarks.push(text)
      print(text)
    },

    end() {
      for (const text of remarks) print(text)
      if (slow) print(slowestOf(files))
      showSkipped()
      const failures = files.flatMap((file) => failuresOf(file, command))
      if (failures.length > 0) print(`\n✖ failing tests:\n\n${failures.join('\n\n')}\n`)
      const summary = { ...counts, duration_ms: performance.now() - started, ...facts() }
      for (const [name, value] of Object.entries(summary)) print(`ℹ ${name} ${value}`)
      return files.every((file) => failureOf(file) === undefined)
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

const isFailed = ({ outcome }: TestResult) => outcome === 'fail' || outcome === 'cancelled'

/** Whether a suite failed by itself, not by what is in it. */
const isOwnFailure = (result: TestResult) =>
  isFailed(result) && result.failure?.failureType !== subtestsFailed.failureType

function shown({ names, outcome, durationMs, reason }: TestResult): string {
  const why = reason === undefined ? '' : ` # ${reason}`
  return `  ${signs[outcome]} ${names.join(' › ')} (${Math.round(durationMs)} ms)${why}`
}

/** All that failed in a file, each with the command that repeats it alone. */
function failuresOf({ file, results, failure }: FileResult, command: string): string[] {
  const own = results.filter(isOwnFailure).map(({ names, failure: why }) => {
    const pattern = `^${names.join(' ').replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$`
    const alone = `${command} ${file} ${quoted(`--test-name-pattern=${pattern}`)}`
    return described([file, ...names].join(' › '), alone, why)
  })
  return failure ? [...own, described(file, `${command} ${file}`, failure)] : own
}

function described(name: string, alone: string, failure: Failure | undefined): string {
  return `✖ ${name}\n${indented([alone, cut(failure?.text ?? '')].join('\n'))}`
}

/** Text without what is beyond the longest line that people read. */
const cut = (text: string) => text.replaceAll(/^(.{1000}).+$/gm, '$1…')

/** As a shell takes it for one word. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

const indented = (text: string) => text.replaceAll(/^(?=.)/gm, '  ')

function slowestOf(files: readonly FileResult[]): string {
  const sorted = [...files].sort((a, b) => b.cpuMs - a.cpuMs).slice(0, slowest)
  const seconds = (ms: number) => (ms / 1000).toFixed(1)
  const rows = sorted.map(({ file, cpuMs, durationMs, results }) => {
    const tests = results.filter(({ isSuite }) => !isSuite).length
    return `${seconds(cpuMs).padStart(8)} (${seconds(durationMs)}) ${file}, ${tests} tests`
  })
  return [
    '\nThe files that took most CPU, in seconds; in brackets how long they took:',
    ...rows,
    '',
  ].join('\n')
}

function printLine(text: string): void {
  process.stdout.write(`${text}\n`)
}
