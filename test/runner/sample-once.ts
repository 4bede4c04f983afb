import assert from 'node:assert/strict'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'

// A story that fails the first time that a run has it, on purpose.

const trace = join(tmpdir(), `parley-sample-once-${process.ppid}`)

describe('of two stories', () => {
  test('passes', () => {})
  test('fails the first time', () => {
    if (existsSync(trace)) return rmSync(trace)
    writeFileSync(trace, '')
    assert.fail('the first time')
  })
})
