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

const longest =
  /hostile|replay|http|build|oracle|privacy|settings-effects-permissions|full-parameters|parameters-/

const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => `test/${file}`)
  .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
  // The longest ones first, so that all workers end at about the same time.
  .sort((a, b) => Number(longest.test(b)) - Number(longest.test(a)) || (a < b ? -1 : 1))

if (files.length === 0) {
  console.error(`No test file has ${parts.join(' or ')} in its path.`)
  process.exit(2)
}

const bundle = await bundleTests(root, files)
try {
  const report = startReport(files.length === 1)
  const queue = [...files]
  const workers = Math.min(files.length, availableParallelism())
  await Promise.all(
    Array.from({ length: workers }, () =>
      runFiles(queue, { bundle: bundle.folder, nodeOptions: options }, report.add),
    ),
  )
  process.exitCode = (await report.end()) ? 0 : 1
} finally {
  bundle.remove()
}
