import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { seed } from '#test/support/drawing.ts'
import { bundleTests } from './bundle.ts'
import { cpuMs } from './cpu.ts'
import { createDisturbed } from './disturbed.ts'
import { startReport } from './report.ts'
import { runFiles } from './workers.ts'

// `npm test -- [path or part of one ...] [--all] [--slow] [option of Node, such as
// --test-name-pattern=muted ...]` runs the test files whose path contains one of the parts. Without
// parts it runs all but the long ones (`*.long.test.ts`), which tell more about the whole than about
// a change; with `--all` it runs these as well. `--slow` lists the files that took most.

const root = fileURLToPath(new URL('../../', import.meta.url))
const given = process.argv.slice(2)
const [all, slow] = ['--all', '--slow'].map((option) => given.includes(option))
const nodeOptions = given.filter((each) => each.startsWith('-') && !/^--(all|slow)$/.test(each))
const parts = given.filter((each) => !each.startsWith('-'))

/** Parts of the paths of the longest files: they run first, so that all workers end at about the same time. */
const longest = [
  'hostile/parameters-beyond-limits',
  'hostile/requests',
  '.long.',
  'client/browser/',
  'joining/browser',
  'replay/',
  'oracle/',
  'http/connections',
  'mail-gateway/mail-in',
  'privacy/',
  'hostile/',
  'quotas/quotas',
  'program/',
  'mail/mail.',
  'organization/imports/',
  'digest/digest',
  'client/state/following',
  'log/log',
  'untranslated',
  'help/help',
  'pictures/waiting-pictures',
]

/** The place of a file among the longest; behind all of them if it is none. */
function turn(file: string): number {
  const place = longest.findIndex((part) => file.includes(part))
  return place < 0 ? longest.length : place
}

/** Whether a run has a file: one that is named is run even if it is long. */
function isWanted(file: string): boolean {
  if (parts.length > 0) return parts.some((part) => file.includes(part))
  return all || !file.endsWith('.long.test.ts')
}

const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => `test/${file}`)
  .filter(isWanted)
  .sort((a, b) => turn(a) - turn(b) || (a < b ? -1 : 1))

if (files.length === 0) {
  console.error(`No test file has ${parts.join(' or ')} in its path.`)
  process.exit(2)
}

const bundle = await bundleTests(root, files)
const report = startReport({
  everything: files.length === 1,
  slow: slow ?? false,
  command: `TEST_SEED=${seed} npm test --${all ? ' --all' : ''}`,
  facts: () => ({ cpu_ms: cpuMs(), seed, tier: all ? 'all' : 'quick' }),
})
const env = { TEST_SEED: String(seed), TEST_TIER: all ? 'all' : 'quick' }
const options = { bundle: bundle.folder, nodeOptions, env }
const queue = [...files]
// Files wait for half of the time: for a browser, for children, for the disk, for time to pass.
const workers = Math.min(files.length, 2 * availableParallelism())
const disturbed = createDisturbed(files.length)
const lanes = Array.from({ length: workers }, () =>
  runFiles(queue, options, (result) => {
    if (!disturbed.take(result)) report.add(result)
  }),
)
// Whatever becomes of one, the summary is printed.
const broken = (await Promise.allSettled(lanes)).filter(({ status }) => status === 'rejected')
for (const each of broken) console.error('reason' in each ? each.reason : each)
await disturbed.runAlone(options, report)
bundle.release()
process.exitCode = report.end() && broken.length === 0 ? 0 : 1
