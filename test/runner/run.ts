import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleTests } from './bundle.ts'
import { startReport } from './report.ts'
import { runFiles } from './workers.ts'

// `npm test -- [path or part of one ...] [option of Node, such as --test-name-pattern=muted ...]`
// runs the test files whose path contains one of the parts: all of them if there is none.

const root = fileURLToPath(new URL('../../', import.meta.url))
const options = process.argv.slice(2).filter((argument) => argument.startsWith('-'))
const parts = process.argv.slice(2).filter((argument) => !argument.startsWith('-'))

/**
 * Parts of the paths of the longest files, in the order in which they run: first, so that all
 * workers end at about the same time. The first of all measures memory: to collect garbage takes
 * three times as long in a process that has run other files.
 */
const longest = [
  'hostile/parameters-beyond-limits',
  'hostile/requests',
  'client/browser/',
  'replay/',
  'program/build',
  'joining/browser',
  'oracle/',
  'images/waiting-pictures',
  'http/connections',
  'privacy/messages',
  'hostile/',
  'quotas/quotas',
  'program/',
]

/** The place of a file among the longest; behind all of them if it is none. */
function turn(file: string): number {
  const place = longest.findIndex((part) => file.includes(part))
  return place < 0 ? longest.length : place
}

const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => `test/${file}`)
  .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
  .sort((a, b) => turn(a) - turn(b) || (a < b ? -1 : 1))

if (files.length === 0) {
  console.error(`No test file has ${parts.join(' or ')} in its path.`)
  process.exit(2)
}

const bundle = await bundleTests(root, files)
try {
  const report = startReport(files.length === 1)
  const queue = [...files]
  // Files wait for half of the time: for a browser, for children, for the disk, for time to pass.
  const workers = Math.min(files.length, 2 * availableParallelism())
  await Promise.all(
    Array.from({ length: workers }, () =>
      runFiles(queue, { bundle: bundle.folder, nodeOptions: options }, report.add),
    ),
  )
  process.exitCode = (await report.end()) ? 0 : 1
} finally {
  bundle.remove()
}
