// Writes what follows from declarations: the tables in the help, of settings, permissions, limits, metrics and
// keys, and the types of the configuration for embedding programs.

import { readFileSync, writeFileSync } from 'node:fs'
import { followers } from './settings-texts.ts'

for (const { file: path, follow } of followers) {
  const file = new URL(`../${path}`, import.meta.url)
  const before = readFileSync(file, 'utf8')
  const after = follow(before)
  if (after !== before) writeFileSync(file, after)
}
