import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDisturbed } from './disturbed.ts'
import { type FileResult, failureOf, startReport } from './report.ts'
import { runFiles } from './workers.ts'

const bundle = process.env.TEST_BUNDLE ?? ''

/** Runs files one after the other. @returns what was said of them, and what was printed */
async function run(...files: string[]) {
  const results: FileResult[] = []
  const printed: string[] = []
  const report = startReport({
    everything: false,
    slow: false,
    command: 'npm test --',
    facts: () => ({}),
    print: (text) => printed.push(text),
  })
  await runFiles([...files], { bundle, nodeOptions: [], silenceLimitMs: 20_000 }, (result) => {
    results.push(result)
    report.add(result)
  })
  return { results, isGood: report.end(), printed: printed.join('\n') }
}

const failing = await run('test/runner/sample-failing.ts')

const outcomes = ({ results }: FileResult) =>
  results.map(({ names, outcome }) => `${names.join(' › ')}: ${outcome}`)

test('a test that hangs is ended under its own name, with what it waited for, and the others run', () => {
  const { results, isGood, printed } = failing
  assert.deepEqual(results.flatMap(outcomes), [
    'a suite (of failures) › passes: pass',
    "a suite (of failures) › isn't equal: fail",
    'a suite (of failures) › hangs: fail',
    'a suite (of failures) › passes after all: pass',
    'a suite (of failures): fail',
  ])
  const hanging = results[0]?.results[2]?.failure?.text ?? ''
  assert.match(hanging, /waited for 1 s, and was ended/)
  assert.match(hanging, /It waited for: the bell/)
  assert.match(hanging, /A picture of the page\./)
  assert.equal(isGood, false)
  assert.match(printed, /ℹ pass 2\nℹ fail 2\n/)
})

test('a failure stands with its whole path and the command that repeats it alone', () => {
  const name = "✖ test/runner/sample-failing.ts › a suite (of failures) › isn't equal\n"
  const pattern = String.raw`'--test-name-pattern=^a suite \(of failures\) isn'\''t equal$'`
  const command = `  npm test -- test/runner/sample-failing.ts ${pattern}\n`
  assert.ok(failing.printed.includes(name + command), failing.printed)
})

test('a process that is killed fails the test that it ran, and the next file has another', async () => {
  const { results, isGood, printed } = await run(
    'test/runner/sample-killed.ts',
    'test/runner/sample.ts',
  )
  const [killed, next] = results
  assert.ok(killed && next)
  assert.equal(outcomes(killed).at(-1), 'a suite › within it › kills its process: fail')
  assert.match(killed.failure?.text ?? '', /Its process ended with SIGKILL/)
  assert.equal(next.failure, undefined)
  assert.equal(isGood, false)
  assert.match(
    printed,
    /✖ test\/runner\/sample-killed\.ts › a suite › within it › kills its process/,
  )
  assert.match(printed, /ℹ fail 2\n/)
})

test('a story that fails beside others runs again alone, which decides, and is named with its reason', async () => {
  const files = ['test/runner/sample-once.ts', 'test/runner/sample.ts']
  const options = { bundle, nodeOptions: [], silenceLimitMs: 20_000 }
  const disturbed = createDisturbed(files.length, (file) => file.includes('once'))
  const added: FileResult[] = []
  const remarks: string[] = []
  const report = {
    add: (result: FileResult) => void added.push(result),
    remark: (text: string) => void remarks.push(text),
  }
  await runFiles([...files], options, (result) => {
    if (!disturbed.take(result)) report.add(result)
  })
  await disturbed.runAlone(options, report)
  assert.deepEqual(added.map(({ file }) => file).sort(), [...files].sort())
  assert.deepEqual(added.map(failureOf), [undefined, undefined])
  const why =
    'of two stories › fails the first time (AssertionError [ERR_ASSERTION]: the first time)'
  assert.deepEqual(remarks, [`⚠ ${files[0]} passed only alone; beside others failed: ${why}`])
})

test('what fails alone too has failed, and so have more than a few', async () => {
  for (const count of [1, 6]) {
    const disturbed = createDisturbed(9, () => true)
    const file = 'test/runner/sample-killed.ts'
    const failed = { ...failing.results[0], file } as FileResult
    for (let i = 0; i < count; i++) assert.equal(disturbed.take(failed), true)
    const added: FileResult[] = []
    const add = (result: FileResult) => void added.push(result)
    await disturbed.runAlone(
      { bundle, nodeOptions: [], silenceLimitMs: 20_000 },
      { add, remark: (text) => assert.fail(text) },
    )
    assert.equal(added.length, count)
    assert.ok(added.every(failureOf))
  }
})
