import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { parleyVersion } from '#platform/version.ts'
import { newDraft } from '#program/drafts.ts'
import { compareVersions } from '#program/releases/listing.ts'
import { upgrade } from '#program/releases/upgrade.ts'
import { parley } from '#test/support/shell.ts'

const work = mkdtempSync(join(tmpdir(), 'parley-upgrading-'))
after(() => rmSync(work, { recursive: true }))

const sumOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')
const saying = (text: string) => `#!/bin/sh\necho '${text}'\n`

/** The platform of these tests, as archives name it. */
const platform = `${process.platform === 'darwin' ? 'macos' : 'linux'}-${process.arch}`

let releases = 0

/** A folder with a release's archive, whose executable is a script, and the archive's sum. */
function archiveOf(script: string, name = 'parley'): string {
  const folder = join(work, `release-${releases++}`)
  mkdirSync(join(folder, `parley-9.9.9-${platform}`), { recursive: true })
  writeFileSync(join(folder, `parley-9.9.9-${platform}`, name), script)
  const archive = join(folder, `parley-9.9.9-${platform}.tar.gz`)
  execFileSync('tar', ['-czf', archive, '-C', folder, `parley-9.9.9-${platform}`])
  writeFileSync(join(folder, 'SHA256SUMS'), `${sumOf(archive)}  ${basename(archive)}\n`)
  return archive
}

const current = saying(`Parley ${parleyVersion}`)

/** An installed executable, and what an upgrade to a file makes of it. */
function installed() {
  const folder = mkdtempSync(join(work, 'bin-'))
  const executable = join(folder, 'parley')
  writeFileSync(executable, current, { mode: 0o755 })
  const backups: string[] = []
  return {
    backups,
    executable,
    /** Everything in its folder, with the contents of the executable. */
    found: () => [readdirSync(folder), readFileSync(executable, 'utf8')],
    run: (): string => execFileSync(executable, { encoding: 'utf8' }),
    upgradeTo: (file: string, sum?: string, key = '') =>
      upgrade({
        file,
        sum,
        executable,
        key,
        backUp: async () => void backups.push(readFileSync(executable, 'utf8')),
      }),
  }
}

describe('an upgrade replaces the executable, after a backup', () => {
  test('by the one in an archive', async () => {
    const own = installed()
    assert.equal(await own.upgradeTo(archiveOf(saying('Parley 9.9.9'))), '9.9.9')
    assert.deepEqual([own.run(), own.backups], ['Parley 9.9.9\n', [current]])
    assert.deepEqual(own.found()[0], ['parley'])
  })

  test('by another executable, whose sum is given', async () => {
    const own = installed()
    const file = join(work, 'newer')
    writeFileSync(file, saying('Parley 9.9.9'))
    assert.equal(await own.upgradeTo(file, sumOf(file).toUpperCase()), '9.9.9')
    assert.equal(own.run(), 'Parley 9.9.9\n')
  })

  test('beside which nothing stays of an upgrade that was killed', async () => {
    const own = installed()
    const { pid } = spawnSync(process.execPath, ['--version'])
    const left = newDraft(own.executable).replace(`-${process.pid}-`, `-${pid}-`)
    writeFileSync(left, 'part of an executable')
    await own.upgradeTo(archiveOf(saying('Parley 9.9.9')))
    assert.deepEqual(own.found()[0], ['parley'])
  })
})

describe('an upgrade that is refused changes nothing', () => {
  const older = archiveOf(saying('Parley 0.0.1'))
  const damaged = archiveOf(saying('Parley 9.9.9'))
  writeFileSync(damaged, 'damaged')
  const unnamed = archiveOf(saying('Parley 9.9.9'))
  rmSync(join(unnamed, '../SHA256SUMS'))
  // biome-ignore format: a matrix reads best in columns
  const matrix: [string, string, RegExp, string?][] = [
    ['of a damaged archive',        damaged,                               /is damaged or a different file/],
    ['of one with another sum',     archiveOf(saying('Parley 9.9.9')),     /is damaged or a different file/, 'f'.repeat(64)],
    ['of one without a sum',        unnamed,                               /no SHA256SUMS beside/],
    ['to the same version',         archiveOf(current),                    /is already version \S+/],
    ['to an older version',         older,                                 /0\.0\.1 is not newer/],
    ['to a preview',                archiveOf(saying('Parley 9.9.9-rc.1')), /9\.9\.9-rc\.1 is not newer/],
    ['to another program',          archiveOf(saying('Hello')),            /is a different program/],
    ['to one that does not run',    archiveOf('#!/bin/sh\nexit 3\n'),      /does not run here/],
    ['to an archive without it',    archiveOf(current, 'README.md'),       /has no executable in it/],
  ]
  for (const [what, file, message, sum] of matrix) {
    test(what, async () => {
      const own = installed()
      const before = own.found()
      await assert.rejects(own.upgradeTo(file, sum), { message })
      assert.deepEqual([own.found(), own.backups], [before, []])
    })
  }

  test('because the backup fails', async () => {
    const own = installed()
    const before = own.found()
    own.backups.push = () => assert.fail('no room')
    const file = archiveOf(saying('Parley 9.9.9'))
    await assert.rejects(own.upgradeTo(file), { message: 'no room' })
    assert.deepEqual(own.found(), before)
  })
})

describe('a program whose releases are signed', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
  const signed = (archive: string, by = privateKey) => {
    const sums = join(archive, '../SHA256SUMS')
    writeFileSync(`${sums}.sig`, sign(null, readFileSync(sums), by))
    return archive
  }
  const newer = () => archiveOf(saying('Parley 9.9.9'))

  test('takes one with the signature of their key', async () => {
    const own = installed()
    assert.equal(await own.upgradeTo(signed(newer()), undefined, key), '9.9.9')
    assert.equal(own.run(), 'Parley 9.9.9\n')
  })

  /** What leaves a mark if it is run. */
  const mark = join(work, 'was-run')
  const marking = (name?: string) => {
    const archive = archiveOf(`#!/bin/sh\ntouch '${mark}'\necho Parley 9.9.9\n`)
    if (name === undefined) return archive
    const renamed = join(archive, '..', name)
    renameSync(archive, renamed)
    writeFileSync(join(archive, '../SHA256SUMS'), `${sumOf(renamed)}  ${name}\n`)
    return renamed
  }
  const changed = signed(marking())
  writeFileSync(join(changed, '../SHA256SUMS'), `${'0'.repeat(64)}  ${basename(changed)}\n`)
  const unlisted = marking()
  writeFileSync(join(unlisted, '../SHA256SUMS'), '')
  // biome-ignore format: a matrix reads best in columns
  const matrix: [string, string, RegExp][] = [
    ['without a signature',         marking(),                                          /no SHA256SUMS with SHA256SUMS\.sig/],
    ['with that of another key',    signed(marking(), generateKeyPairSync('ed25519').privateKey), /is not signed with the key/],
    ['whose sums were changed',     changed,                                            /is not signed with the key/],
    ['that is not among its sums',  signed(unlisted),                                   /no SHA256SUMS beside/],
    ['that is older',               signed(marking(`parley-0.0.1-${platform}.tar.gz`)), /0\.0\.1 is not newer/],
    ['for another system',          signed(marking('parley-9.9.9-windows-x64.tar.gz')), /is for another platform/],
  ]
  for (const [what, file, message] of matrix) {
    test(`refuses one ${what} before it is run, even with its sum`, async () => {
      const own = installed()
      const before = own.found()
      await assert.rejects(own.upgradeTo(file, sumOf(file), key), { message })
      assert.deepEqual([own.found(), existsSync(mark)], [before, false])
    })
  }

  test('refuses an executable whose header is that of another processor', async () => {
    const elf = Buffer.alloc(100)
    elf.write('\x7fELF', 'latin1')
    elf.writeUInt16LE(process.arch === 'x64' ? 183 : 62, 18)
    await assert.rejects(installed().upgradeTo(archiveOf(elf.toString('latin1'))), {
      message: /is not for this platform/,
    })
  })
})

test('a program that is no executable says how it is replaced', async () => {
  const { code, err } = await parley(['upgrade', archiveOf(saying('Parley 9.9.9'))])
  assert.equal(code, 1)
  assert.match(err, /Only the single-file executable can replace itself/)
})

test('versions are compared by their numbers', () => {
  // biome-ignore format: a matrix reads best in columns
  const matrix: [string, string, 'newer' | 'older' | 'same' | 'unknown'][] = [
    ['0.2.0',      '0.1.9',  'newer'],
    ['0.10.0',     '0.9.0',  'newer'],
    ['1.0.0',      '0.99.9', 'newer'],
    ['v0.2.0',     '0.2.0',  'same'],
    ['0.1.0',      '0.1.1',  'older'],
    ['0.2.0-rc.1', '0.1.0',  'unknown'],
    ['latest',     '0.1.0',  'unknown'],
  ]
  for (const [a, b, expected] of matrix) {
    const difference = compareVersions(a, b)
    const found = difference === undefined ? 'unknown' : Math.sign(difference)
    const names = { 1: 'newer', 0: 'same', [-1]: 'older', unknown: 'unknown' }
    assert.equal(names[found as keyof typeof names], expected, `${a} to ${b}`)
  }
})
