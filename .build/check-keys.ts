// Fails where the web client looks at a key that may be an input method's: `key-handlers.ts` says why.

import { findUnaskedKeys } from './key-handlers.ts'

const found = findUnaskedKeys()
for (const { file, line, text } of found) console.error(`src/client/${file}:${line}: ${text}`)
if (found.length > 0) {
  console.error('\nAsk isFinishing(event) before you look at the key.')
  process.exitCode = 1
}
