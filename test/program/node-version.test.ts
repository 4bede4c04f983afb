import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { nodeProblem } from '#program/node-version.ts'
import { programArguments } from '#test/support/programs.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-node-'))
after(() => rmSync(folder, { recursive: true }))

test('releases of Node from the one in package.json on are taken', () => {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const oldest = JSON.parse(manifest).engines.node.replace('>=', '')
  for (const version of [`${oldest}.0`, '22.23.3', '24.21.0', '26.10.0', process.versions.node]) {
    assert.equal(nodeProblem(version), undefined, version)
  }
  for (const version of ['22.13.1', '20.20.2', '18.20.8']) {
    assert.match(String(nodeProblem(version)), new RegExp(`${oldest} or newer.*${version}`))
  }
})

test('a start by an older Node says so in one sentence, and loads nothing', () => {
  const older = join(folder, 'older.cjs')
  const loaded = join(folder, 'loaded')
  // The addon is loaded through `process.dlopen`.
  writeFileSync(
    older,
    `Object.defineProperty(process.versions, 'node', { value: '20.20.2' })
process.dlopen = () => require('node:fs').writeFileSync(${JSON.stringify(loaded)}, '')`,
  )
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--require', older, ...programArguments('src/main.ts'), 'dev'],
    { encoding: 'utf8' },
  )
  assert.deepEqual([status, stdout, stderr], [1, '', `${nodeProblem('20.20.2')}\n`])
  assert.throws(() => readFileSync(loaded), { code: 'ENOENT' })
})
