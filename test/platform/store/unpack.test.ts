import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  addonTarget,
  loadInstalledAddon,
  loadPackedAddon,
  type PackedAddon,
  unpackAddon,
} from '#platform/store/unpack.ts'

const work = mkdtempSync(join(tmpdir(), 'parley-unpack-'))
after(() => rmSync(work, { recursive: true }))

const content = Buffer.from('the bytes of an addon')
const sha256 = createHash('sha256').update(content).digest('hex')
const packed: PackedAddon = { sha256, target: addonTarget, bytes: () => content }
const sealed: PackedAddon = { ...packed, bytes: () => assert.fail('unpacked again') }

let folders = 0
const newFolder = () => join(work, String(folders++))
const modeOf = (path: string) => statSync(path).mode & 0o777

test('an addon is unpacked once, into a folder that only its user can enter', () => {
  const folder = join(newFolder(), 'not', 'there', 'yet')
  const file = unpackAddon(packed, folder)
  assert.equal(file, join(folder, `${sha256}.node`))
  assert.deepEqual(readFileSync(file), content)
  assert.deepEqual([modeOf(folder), modeOf(file)], [0o700, 0o600])
  assert.equal(unpackAddon(sealed, folder), file)
  assert.deepEqual(readdirSync(folder), [`${sha256}.node`])
})

describe('what someone planted under the name of the addon is replaced', () => {
  const elsewhere = join(work, 'elsewhere')
  const planted: Record<string, (file: string) => void> = {
    'other bytes': (file) => writeFileSync(file, 'the bytes of an attack'),
    'a link to the right bytes': (file) => {
      writeFileSync(elsewhere, content)
      symlinkSync(elsewhere, file)
    },
    'the right bytes that others may change': (file) => {
      writeFileSync(file, content)
      chmodSync(file, 0o666)
    },
  }
  for (const [what, plant] of Object.entries(planted)) {
    test(what, () => {
      const folder = newFolder()
      mkdirSync(folder)
      chmodSync(folder, 0o777)
      plant(join(folder, `${sha256}.node`))
      const file = unpackAddon(packed, folder)
      assert.deepEqual(readFileSync(file), content)
      assert.deepEqual([modeOf(folder), modeOf(file)], [0o700, 0o600])
      assert.equal(unpackAddon(sealed, folder), file)
    })
  }
})

describe("a folder that is not the user's own is refused", () => {
  const refusal = /belongs to another user/

  test('a link', () => {
    const target = newFolder()
    mkdirSync(target)
    const link = newFolder()
    symlinkSync(target, link)
    assert.throws(() => unpackAddon(packed, link), refusal)
    assert.deepEqual(readdirSync(target), [])
  })

  test("another user's", () => {
    const root = process.getuid?.() === 0
    const folder = root ? newFolder() : '/usr'
    if (root) {
      mkdirSync(folder)
      chownSync(folder, 65534, 65534)
    }
    assert.throws(() => unpackAddon(packed, folder), refusal)
    assert.equal(existsSync(join(folder, `${sha256}.node`)), false)
  })
})

test('an addon for another platform is refused before anything is written', () => {
  const folder = newFolder()
  const foreign = { ...packed, target: 'plan9-vax-1' }
  assert.throws(() => loadPackedAddon(foreign, folder), /is for plan9-vax-1, not for /)
  assert.equal(existsSync(folder), false)
})

test('the npm package has the addon of each platform, and loads its own', () => {
  const root = new URL('../../../node_modules/better-sqlite3/prebuilds', import.meta.url)
  const { addon, file } = loadInstalledAddon(fileURLToPath(root))
  assert.equal(typeof Reflect.get(addon, 'Database'), 'function')
  assert.match(String(file), /prebuilds/)
  const message = `This build of Parley has no SQLite for ${addonTarget}.`
  assert.throws(() => loadInstalledAddon(newFolder()), { message })
})

test('where no folder will do, the error names both and what to set', () => {
  const taken = newFolder()
  writeFileSync(taken, 'a file where the folder should be')
  assert.throws(
    () => loadPackedAddon(packed, taken),
    (error: Error) =>
      error.message.includes(`${taken}: `) && error.message.includes('Set XDG_CACHE_HOME'),
  )
})
