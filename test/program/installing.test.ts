import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const work = mkdtempSync(join(tmpdir(), 'parley-install-'))
after(() => rmSync(work, { recursive: true }))

const template = fileURLToPath(new URL('../../.build/release/install.sh', import.meta.url))
const archiveName = `parley-9.9.9-linux-${process.arch}.tar.gz`
const skip = process.platform !== 'linux' && 'it is tried on Linux'

const { privateKey, publicKey: generated } = generateKeyPairSync('ed25519')
const publicKey = generated.export({ format: 'der', type: 'spki' }).toString('base64')

function signSums(folder: string, by = privateKey): void {
  const sums = readFileSync(join(folder, 'SHA256SUMS'))
  writeFileSync(join(folder, 'SHA256SUMS.sig'), sign(null, sums, by))
}

/** A release folder, whose executable is a script that tells its version. */
function makeRelease(name: string, key = publicKey): string {
  const folder = join(work, name)
  const content = join(folder, basename(archiveName, '.tar.gz'))
  mkdirSync(content, { recursive: true })
  writeFileSync(join(content, 'parley'), '#!/bin/sh\necho Parley 9.9.9\n', { mode: 0o755 })
  const archive = join(folder, archiveName)
  execFileSync('tar', ['-czf', archive, '-C', folder, basename(content)])
  rmSync(content, { recursive: true })
  const sum = createHash('sha256').update(readFileSync(archive)).digest('hex')
  writeFileSync(join(folder, 'SHA256SUMS'), `${sum}  ${archiveName}\n`)
  signSums(folder)
  const script = readFileSync(template, 'utf8')
    .replaceAll('@VERSION@', '9.9.9')
    .replace('@URL@', '')
    .replace('@KEY@', key)
  writeFileSync(join(folder, 'install.sh'), script)
  return folder
}

function install(folder: string, to: string) {
  return spawnSync('sh', [join(folder, 'install.sh'), to], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  })
}

describe('install.sh', { skip }, () => {
  test('installs the executable of the archive beside it', () => {
    const to = join(work, 'bin')
    const { status, stdout, stderr } = install(makeRelease('beside'), to)
    assert.deepEqual([status, stderr], [0, ''])
    assert.match(stdout, /^Parley 9\.9\.9\nInstalled as /)
    const program = join(to, 'parley')
    assert.equal(execFileSync(program, { encoding: 'utf8' }), 'Parley 9.9.9\n')
  })

  test('installs nothing from an archive whose sum is another', () => {
    const folder = makeRelease('damaged')
    writeFileSync(join(folder, archiveName), 'damaged')
    const to = join(work, 'untouched')
    const { status, stderr } = install(folder, to)
    assert.equal(status, 1)
    assert.match(stderr, /is damaged: its sum is not the one in SHA256SUMS/)
    assert.equal(existsSync(to), false)
  })

  test('installs nothing that is signed with another key, or not at all', () => {
    const folder = makeRelease('foreign')
    const to = join(work, 'untouched')
    signSums(folder, generateKeyPairSync('ed25519').privateKey)
    const foreign = install(folder, to)
    assert.deepEqual([foreign.status, /is not signed with the key/.test(foreign.stderr)], [1, true])
    writeFileSync(join(folder, 'SHA256SUMS.sig'), '')
    assert.equal(install(folder, to).status, 1)
    rmSync(join(folder, 'SHA256SUMS.sig'))
    assert.equal(install(folder, to).status, 1)
    assert.equal(existsSync(to), false)
  })

  test('says that a release without a key is not signed', () => {
    const { status, stderr } = install(makeRelease('unsigned', ''), join(work, 'unsigned-bin'))
    assert.deepEqual([status, /is not signed/.test(stderr)], [0, true])
  })

  test('does not put an older version in the place of a newer one', () => {
    const folder = makeRelease('older')
    const to = join(work, 'newer-bin')
    mkdirSync(to)
    writeFileSync(join(to, 'parley'), '#!/bin/sh\necho Parley 9.10.0\n', { mode: 0o755 })
    const { status, stderr } = install(folder, to)
    assert.deepEqual([status, /9\.10\.0, which is newer than 9\.9\.9/.test(stderr)], [1, true])
  })

  test('installs nothing that SHA256SUMS does not name', () => {
    const folder = makeRelease('unnamed')
    writeFileSync(join(folder, 'SHA256SUMS'), `${'0'.repeat(64)}  another.tar.gz\n`)
    signSums(folder)
    const { status, stderr } = install(folder, join(work, 'untouched'))
    assert.deepEqual([status, /does not name/.test(stderr)], [1, true])
  })

  test('says where to put the files if it has neither them nor an address', () => {
    const folder = makeRelease('alone')
    rmSync(join(folder, archiveName))
    const { status, stderr } = install(folder, join(work, 'untouched'))
    assert.equal(status, 1)
    assert.match(stderr, /put them there, or set PARLEY_DOWNLOAD_URL/)
  })
})

test('install.sh downloads the archive and its sum', { skip }, async () => {
  const served = makeRelease('served')
  const asked: string[] = []
  const site = createServer((request, response) => {
    const name = basename(request.url ?? '')
    asked.push(name)
    response.end(readFileSync(join(served, name)))
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const script = join(work, 'downloaded')
  mkdirSync(script)
  const text = readFileSync(join(served, 'install.sh'))
  writeFileSync(join(script, 'install.sh'), text)
  const { port } = site.address() as AddressInfo
  const env = { PATH: process.env.PATH, PARLEY_DOWNLOAD_URL: `http://127.0.0.1:${port}/9.9.9/` }
  const to = join(work, 'from-there')
  // Not spawnSync, since the site is in this process.
  const child = spawn('sh', [join(script, 'install.sh'), to], { env, stdio: 'ignore' })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  site.close()
  assert.deepEqual([code, asked], [0, [archiveName, 'SHA256SUMS', 'SHA256SUMS.sig']])
  assert.ok(existsSync(join(to, 'parley')))
})
