import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bundleTests } from '#test/runner/bundle.ts'
import { type FileResult, failureOf } from '#test/runner/report.ts'
import { runFiles } from '#test/runner/workers.ts'
import { createRandom } from '#test/support/drawing.ts'
import { type Mutant, mutantsOf, withMutants } from './mutants.ts'

// Changes one place of the source at a time and looks whether a test notices: `npm run mutate --
// [folder below src/ ...] [--count N] [--seed N] [--tests PART ...]`, with the test files that have a
// PART in their path, or all but those in a browser. All mutants are in one bundle. A first run without
// any tells which files reach which mutant; only these then run with it, the nearest first, until
// one fails. A mutant that passes them all is printed, with its line: a test is missing, or it
// changes nothing.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    tests: { type: 'string', multiple: true, default: [''] },
  },
})
const root = fileURLToPath(new URL('../../', import.meta.url))
const usualFolders = ['platform', 'features/messaging', 'client/state']
const folders = positionals.length > 0 ? positionals : usualFolders
const [count, seed] = [Number(values.count), Number(values.seed)]
if (!Number.isSafeInteger(count) || count < 1 || !Number.isSafeInteger(seed)) {
  console.error('--count is a number of mutants, at least 1, and --seed a whole number.')
  process.exit(2)
}

/** Tests that look at the source, at timings or at a built client would not see a mutant or always fail. */
const unfit = /^test\/(client\/browser|program\/build|whole\/(architecture|packages|translations))/
/** How much longer than without the mutant a file may take. */
const slowdown = 8
const shortestLimitMs = 30_000

interface Chosen extends Mutant {
  readonly file: string
  readonly source: string
}

function choose(): Chosen[] {
  const all = folders.flatMap((folder) =>
    readdirSync(join(root, 'src', folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `src/${folder}/${name}`)
      .filter((file) => /(?<!\.d)\.tsx?$/.test(file))
      .sort()
      .flatMap((file) => {
        const source = readFileSync(join(root, file), 'utf8')
        return mutantsOf(file, source).map((mutant) => ({ ...mutant, file, source }))
      }),
  )
  console.log(`${all.length} possible mutants in ${folders.join(', ')}; seed ${seed}`)
  const random = createRandom(seed)
  const chosen: Chosen[] = []
  while (chosen.length < count && all.length > 0) {
    const [next] = all.splice(Math.floor(random() * all.length), 1)
    if (next && !chosen.some((other) => overlap(next, other))) chosen.push(next)
  }
  return chosen
}

const overlap = (a: Chosen, b: Chosen) => a.file === b.file && a.start < b.end && b.start < a.end

/** The place of a mutant and what it changes, on one line. */
function describe({ file, source, start, end, replacement }: Chosen): string {
  const line = source.slice(0, start).split('\n').length
  const short = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 100)
  return `${file}:${line}  ${short(source.slice(start, end))}  =>  ${short(replacement)}`
}

/** How many folders a test file's path shares with a source file's. */
function nearness(test: string, source: string): number {
  const [a, b] = [dirname(test).split('/').slice(1), dirname(source).split('/').slice(1)]
  const differing = b.findIndex((part, index) => part !== a[index])
  return differing < 0 ? b.length : differing
}

/** The sources with all their mutants, by path. */
function changedSources(mutants: readonly Chosen[]): Map<string, string> {
  const numbered = mutants.map((mutant, number) => [number, mutant] as const)
  return new Map(
    mutants.map(({ file, source }) => {
      const own = numbered.filter(([, mutant]) => mutant.file === file)
      return [file, withMutants(source, own)]
    }),
  )
}

/** Answers whether a mutant is on, and writes down those that were asked for. */
const preamble = `globalThis.isMutantOn ??= ((on, reached, known, fs) => (mutant) => {
  if (reached && !known.has(mutant)) {
    known.add(mutant)
    fs.appendFileSync(reached, mutant + '\\n')
  }
  return on === String(mutant)
})(process.env.MUTANT, process.env.MUTANTS_REACHED, new Set(), require('node:fs'));`

const chosen = choose()
const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .map((name) => `test/${name}`)
  .filter((file) => file.endsWith('.test.ts') && !unfit.test(file))
  .filter((file) => values.tests.some((part) => file.includes(part)))
  .sort()
const scratch = mkdtempSync(join(tmpdir(), 'parley-mutants-'))
const bundle = await bundleTests(root, files, { sources: changedSources(chosen), preamble })
try {
  const reaching = await findReaching()
  const survivors: number[] = []
  const rest = chosen.map((_, number) => number)
  await inParallel(async () => {
    for (let number = rest.shift(); number !== undefined; number = rest.shift()) {
      const mutant = chosen[number] as Chosen
      const tests = [...(reaching.get(number) ?? [])].sort(
        ([a], [b]) => nearness(b, mutant.file) - nearness(a, mutant.file),
      )
      const killer = await findKiller(number, tests)
      if (!killer) survivors.push(number)
      const outcome = killer ?? (tests.length > 0 ? 'SURVIVED' : 'SURVIVED: no test runs it')
      console.log(`${number + 1} ${describe(mutant)}\n  ${outcome}`)
    }
  })
  console.log(`\n${survivors.length} of ${chosen.length} mutants survived.`)
  for (const number of survivors) console.log(describe(chosen[number] as Chosen))
  process.exitCode = survivors.length > 0 ? 1 : 0
} finally {
  bundle.release()
  rmSync(scratch, { recursive: true, force: true })
}

async function inParallel(work: (lane: number) => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: availableParallelism() }, (_, lane) => work(lane)))
}

/** Runs all files without a mutant. @returns for each mutant the files that reach it, with their time */
async function findReaching(): Promise<Map<number, Map<string, number>>> {
  const reaching = new Map<number, Map<string, number>>()
  const queue = [...files]
  await inParallel(async (lane) => {
    const reached = join(scratch, `reached-${lane}`)
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      writeFileSync(reached, '')
      const result = await runAlone(file, { MUTANTS_REACHED: reached })
      if (failureOf(result)) {
        console.log(`${file} fails without a mutant, and is left out.`)
        continue
      }
      for (const line of readFileSync(reached, 'utf8').split('\n').filter(Boolean)) {
        const those = reaching.get(Number(line)) ?? new Map<string, number>()
        reaching.set(Number(line), those.set(file, result.durationMs))
      }
    }
  })
  return reaching
}

/** The first file that fails with a mutant. */
async function findKiller(
  mutant: number,
  tests: readonly (readonly [file: string, durationMs: number])[],
): Promise<string | undefined> {
  for (const [file, durationMs] of tests) {
    const limit = Math.max(shortestLimitMs, slowdown * durationMs)
    const result = await runAlone(file, { MUTANT: String(mutant) }, limit)
    if (failureOf(result)) return file
  }
  return undefined
}

async function runAlone(
  file: string,
  env: Readonly<Record<string, string>>,
  silenceLimitMs?: number,
): Promise<FileResult> {
  const found: FileResult[] = []
  const limit = silenceLimitMs === undefined ? {} : { silenceLimitMs }
  const options = { bundle: bundle.folder, nodeOptions: [], env, ...limit }
  await runFiles([file], options, (result) => found.push(result))
  return found[0] as FileResult
}
