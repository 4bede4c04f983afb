// Fails for functions that are too long: `long-functions.ts` says which may be.

import { findLongFunctions, mostLines } from './long-functions.ts'

const found = findLongFunctions()
for (const { file, line, lines } of found) console.error(`${file}:${line}: ${lines} lines`)
if (found.length > 0) {
  console.error(`\nSplit functions of more than ${mostLines} lines along what they do.`)
  process.exitCode = 1
}
