import { getRawAsset } from 'node:sea'
import { evaluate } from './evaluate.ts'
import { assetNames, type Program } from './names.ts'

// What the executable starts: the program with the code that was compiled while it was recorded.
// Node's own cache has only what is compiled without running it.

const bytesOf = (name: string) => Buffer.from(getRawAsset(name) as ArrayBuffer)
const cache = bytesOf(assetNames.cache)
const source = bytesOf(assetNames.program).latin1Slice()
const { exports } = evaluate(
  source,
  assetNames.program,
  require,
  cache.length > 0 ? cache : undefined,
)
void (exports as Program).run()
