import { Script } from 'node:vm'

/** What a run of a CommonJS module left. */
export interface Evaluated {
  readonly script: Script
  readonly exports: unknown
}

/**
 * Runs the source of a CommonJS module.
 *
 * @param filename what stack traces call it
 * @param require what it loads others with
 * @param cachedData the code that V8 compiled for it earlier
 */
export function evaluate(
  source: string,
  filename: string,
  require: NodeJS.Require,
  cachedData?: Buffer,
): Evaluated {
  const wrapped = `(function(exports,require,module){${source}\n})`
  const script = new Script(wrapped, { filename, ...(cachedData && { cachedData }) })
  const module = { exports: {} }
  script.runInThisContext()(module.exports, require, module)
  return { script, exports: module.exports }
}
