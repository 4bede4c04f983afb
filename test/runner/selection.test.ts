import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { FileResult } from './report.ts'
import { runFiles } from './workers.ts'

const bundle = process.env.TEST_BUNDLE ?? ''
const file = 'test/runner/sample.ts'

describe('a run with patterns', () => {
  const runs: readonly [nodeOptions: readonly string[], names: readonly string[]][] = [
    [[], ['is read', 'is written', 'is read as well']],
    [['--test-name-pattern=is read'], ['is read', 'is read as well']],
    [['--test-name-pattern=/IS WRITTEN$/i'], ['is written']],
    [['--test-name-pattern=^a site is read$'], ['is read']],
    [['--test-name-pattern=member'], ['is written', 'is read as well']],
    [
      ['--test-name-pattern=written', '--test-name-pattern=well'],
      ['is written', 'is read as well'],
    ],
    [['--test-skip-pattern=written'], ['is read', 'is read as well']],
    [['--test-name-pattern=nothing of it'], []],
  ]
  for (const [nodeOptions, names] of runs) {
    test(`${nodeOptions.join(' ') || 'of none'} runs ${names.length}, and closes what was opened`, async () => {
      const results: FileResult[] = []
      await runFiles([file], { bundle, nodeOptions, silenceLimitMs: 20_000 }, (each) =>
        results.push(each),
      )
      const [result] = results
      assert.equal(result?.failure, undefined)
      const passed = result?.results.flatMap(({ isSuite, outcome, names: path }) =>
        outcome === 'pass' && !isSuite ? path.slice(-1) : [],
      )
      assert.deepEqual(passed, names)
    })
  }
})
