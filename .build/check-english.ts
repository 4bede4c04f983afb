// Fails for texts, comments and titles of tests that read like a translation, and for names that say a
// second word for one thing: `english.ts` has the habits, `words.ts` the words.

import { findHabits } from './english.ts'

const findings = findHabits()
for (const { file, line, text, hint } of findings) {
  console.error(`${file}:${line}: ${text.trim().slice(0, 200)}\n  ${hint}`)
}
if (findings.length > 0) process.exitCode = 1
