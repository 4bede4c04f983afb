// Fails for calls of `replace` and `replaceAll` with a text that is not known: `replacements.ts` says why.

import { findReplacements } from './replacements.ts'

const found = findReplacements()
for (const { file, line, text } of found) {
  console.error(`${file}:${line}: ${text.replaceAll(/\s+/g, ' ').slice(0, 160)}`)
}
if (found.length > 0) {
  console.error('\nGive replace() and replaceAll() a function: () => text.')
  process.exitCode = 1
}
