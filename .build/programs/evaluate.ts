import { Script } from 'node:vm'

/** What a run of a CommonJS module left. */
export interface Evaluated {
  readonly script: Script
  readonly exports: unknown
}

/**
 * The source of a CommonJS module as `evaluate` takes it. Made by the build: to put a program of
 * megabytes together at its start would leave it in memory twice.
 */
export function wrap(source: string): string {
  return `(function(exports,require,module){${source}\n})`
}

/**
 * Runs a CommonJS module.
 *
 * @param wrapped its source from `wrap`
 * @param filename what stack traces call it
 * @param require what it loads others with
 * @param cachedData the code that V8 compiled for it earlier
 */
export function evaluate(
  wrapped: string,
  filename: string,
  require: NodeJS.Require,
  cachedData?: Buffer,
): Evaluated {
  const script = new Script(wrapped, { filename, ...(cachedData && { cachedData }) })
  const module = { exports: {} }
  script.runInThisContext()(module.exports, require, module)
  return { script, exports: module.exports }
}
