import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** The code that the thread which checks databases runs. */
export interface IntegrityLibrary {
  /** The source code of integrity-worker.cjs. */
  readonly worker: string
  /** Source code of a CommonJS module: better-sqlite3. */
  readonly source: string
}

/** Finds the installed package. The build replaces this module by one that contains the code. */
export function loadIntegrityLibrary(): IntegrityLibrary {
  const { resolve } = createRequire(import.meta.url)
  return {
    worker: readFileSync(new URL('./integrity-worker.cjs', import.meta.url), 'utf8'),
    source: `module.exports = require(${JSON.stringify(resolve('better-sqlite3'))})`,
  }
}
