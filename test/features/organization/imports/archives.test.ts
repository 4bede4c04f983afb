import assert from 'node:assert/strict'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, describe, test } from 'node:test'
import { createGunzip, gzipSync } from 'node:zlib'
import { openArchive } from '#features/organization/imports/archive/archive.ts'
import { requireHarmless } from '#features/organization/imports/archive/expansion.ts'
import { spoolTar } from '#features/organization/imports/archive/tar.ts'
import { unpacked } from '#features/organization/imports/archive/unpacking.ts'
import { Notes } from '#features/organization/imports/report.ts'
import { badRequest } from '#platform/errors.ts'
import { tarOf, writeFolder, writeTarGz, writeZip } from '#test/support/exports/archives.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-import-archives-'))
after(() => rmSync(folder, { recursive: true, force: true }))

let count = 0
const fresh = (ending: string) => join(folder, `${count++}${ending}`)

async function contents(path: string) {
  const notes = new Notes()
  const { signal } = new AbortController()
  const archive = await openArchive(path, {
    scratch: mkdtempSync(join(folder, 's-')),
    notes,
    signal,
  })
  try {
    const files: Record<string, string> = {}
    for (const name of archive.paths) {
      const parts: Uint8Array[] = []
      for await (const part of archive.read(name)) parts.push(part)
      files[name] = Buffer.concat(parts).toString()
      assert.equal(archive.size(name), Buffer.byteLength(files[name]))
    }
    assert.deepEqual(archive.progress.done, archive.progress.total)
    return { files, skipped: notes.tables().other?.skipped ?? {} }
  } finally {
    await archive.close()
  }
}

const long = `data/${'long-'.repeat(40)}/${'name-'.repeat(40)}.txt`
const files = { 'realm.json': '{}', 'uploads/täglich 日本.txt': 'a file', [long]: 'x', empty: '' }
const inFolder = (of: object) =>
  Object.fromEntries(Object.entries(of).map(([name, text]) => [`export-1/${name}`, text]))

describe('every kind of archive has the same files, without the folder that holds all', () => {
  test('a folder', async () => {
    assert.deepEqual((await contents(writeFolder(fresh(''), files))).files, files)
  })
  test('a tar archive', async () => {
    const path = fresh('.tar')
    writeFileSync(path, await tarOf(inFolder(files)))
    assert.deepEqual((await contents(path)).files, files)
  })
  test('a gzipped tar archive', async () => {
    const path = await writeTarGz(fresh('.tar.gz'), inFolder(files))
    assert.deepEqual((await contents(path)).files, files)
  })
  test('a zip archive', async () => {
    const path = await writeZip(fresh('.zip'), inFolder(files))
    assert.deepEqual((await contents(path)).files, files)
  })
  test('one file', async () => {
    const path = fresh('.jsonl')
    writeFileSync(path, '{}\n')
    assert.deepEqual(Object.values((await contents(path)).files), ['{}\n'])
  })
  for (const noise of [
    ['__MACOSX/a/._realm.json', 'a/.DS_Store'],
    ['Thumbs.db', 'desktop.ini', '.DS_Store'],
  ]) {
    test(`what systems put beside the files is passed over: ${noise.join()}`, async () => {
      const beside = Object.fromEntries(noise.map((name) => [name, 'x']))
      const path = await writeZip(fresh('.zip'), { ...beside, 'a/realm.json': '{}' })
      assert.deepEqual((await contents(path)).files, { 'realm.json': '{}' })
    })
  }
  test('a zip archive with the separators of Windows, also after folders', async () => {
    const path = await writeZip(fresh('.zip'), { 'a|': '', 'a|b|': '', 'a|b|c': '1', 'a|d': '2' })
    writeFileSync(path, readFileSync(path).toString('latin1').replaceAll('|', '\\'), 'latin1')
    assert.deepEqual((await contents(path)).files, { 'b/c': '1', d: '2' })
  })
  test('a tar archive without the mark of later ones', async () => {
    const path = fresh('.tar')
    const bytes = Buffer.from(await tarOf(inFolder({ 'realm.json': '{}', b: 'x' })))
    for (const start of headersOf(bytes)) resum(bytes.subarray(start, start + 512).fill(0, 257))
    writeFileSync(path, bytes)
    assert.deepEqual((await contents(path)).files, { 'realm.json': '{}', b: 'x' })
  })
  test('a folder with names that are not in UTF-8', async () => {
    const path = writeFolder(fresh(''), { a: '1' })
    const odd = Buffer.concat([
      Buffer.from(`${path}/gr`),
      Buffer.from([0x94, 0xe1]),
      Buffer.from('e'),
    ])
    mkdirSync(odd)
    writeFileSync(Buffer.concat([odd, Buffer.from('/b')]), '2')
    assert.deepEqual((await contents(path)).files, { a: '1', 'größe/b': '2' })
  })
})

/** Where the headers of the files of a tar archive without long names begin. */
function headersOf(tar: Buffer): number[] {
  const found: number[] = []
  for (let at = 0; tar[at]; ) {
    found.push(at)
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 135), 8)
    at += 512 + Math.ceil(size / 512) * 512
  }
  return found
}

/** Puts the sum of a header into it. */
function resum(header: Buffer): void {
  header.fill(' ', 148, 156)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
}

describe('a file that a tar archive has without its holes', () => {
  const size = 200_000
  const shapes: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
    'at the end': [[0, 700]],
    'at the beginning': [[size - 5, 5]],
    'in the middle': [
      [0, 512],
      [131_072, 100],
      [size - 1, 1],
    ],
    'all over': [[size, 0]],
    'of which there are many': Array.from({ length: 200 }, (_, i) => [i * 1000, 3]),
  }
  const stored = (parts: readonly (readonly [number, number])[]) =>
    Buffer.concat(parts.map(([start, length], i) => Buffer.alloc(length, String(start + i))))
  const tarWith = async (pax: Record<string, string>, body: string | Uint8Array) => {
    const path = fresh('.tar')
    const name = 'x/GNUSparseFile.0/b'
    const header = { name, type: 'file', size: Buffer.byteLength(body), pax } as const
    writeFileSync(path, await tarOf({ 'x/a': '1', 'x/c': '2' }, [{ header, body }]))
    return path
  }
  const newer = { 'GNU.sparse.major': '1', 'GNU.sparse.minor': '0', 'GNU.sparse.name': 'x/b' }
  const listed = (parts: readonly (readonly [number, number])[]) => {
    const list = Buffer.from(`${[parts.length, ...parts.flat()].join('\n')}\n`)
    return Buffer.concat([list, Buffer.alloc((512 - (list.length % 512)) % 512), stored(parts)])
  }

  for (const [where, parts] of Object.entries(shapes)) {
    const whole = Buffer.alloc(size)
    for (const [i, [start, length]] of parts.entries()) {
      whole.fill(String(start + i), start, start + length)
    }
    const forms: Readonly<Record<string, () => Promise<string>>> = {
      'lists its parts before them': () =>
        tarWith({ ...newer, 'GNU.sparse.realsize': `${size}` }, listed(parts)),
      'lists its parts in the header': () =>
        tarWith(
          {
            'GNU.sparse.size': `${size}`,
            'GNU.sparse.numblocks': `${parts.length}`,
            'GNU.sparse.name': 'x/b',
            'GNU.sparse.map': parts.flat().join(),
          },
          stored(parts),
        ),
    }
    for (const [form, write] of Object.entries(forms)) {
      test(`is whole with holes ${where}, if it ${form}`, async () => {
        const { files } = await contents(await write())
        assert.deepEqual(Object.keys(files), ['a', 'b', 'c'])
        assert.ok(files.b === whole.toString())
      })
    }
  }

  const broken: Readonly<Record<string, [string, string | Uint8Array]>> = {
    'no size': ['many', listed([[0, 1]])],
    'parts that are not there': ['10', listed([[0, 5]]).subarray(0, 513)],
    'parts beyond its end': ['3', listed([[0, 5]])],
    'parts one over the other': [
      '9',
      listed([
        [4, 2],
        [3, 2],
      ]),
    ],
    'a list without an end': ['9', '9'.repeat(1024)],
    'more parts than any file has': ['9', `${10 ** 9}\n${'0\n'.repeat(1000)}`.padEnd(4096, '\n')],
    'no list': ['9', ''],
  }
  for (const [what, [realSize, body]] of Object.entries(broken)) {
    test(`is refused with ${what}`, async () => {
      const path = await tarWith({ ...newer, 'GNU.sparse.realsize': realSize }, body)
      await assert.rejects(contents(path), /damaged or cut off/)
    })
  }
  test('is refused if its holes would fill the disk', async () => {
    const path = await tarWith({ ...newer, 'GNU.sparse.realsize': `${2 ** 40}` }, listed([[0, 1]]))
    await assert.rejects(contents(path), /would unpack to more than/)
  })
})

describe('an archive that is made to do harm', () => {
  const forbidden = /forbidden name/
  for (const name of ['../outside', '/absolute', 'a/../../b', 'C:\\windows', 'a/new\nline']) {
    test(`is refused for the name ${JSON.stringify(name)}`, async () => {
      const path = fresh('.tar')
      writeFileSync(path, await tarOf({ [name]: 'x', 'b/c': 'y' }))
      await assert.rejects(contents(path), forbidden)
    })
  }

  test('is refused for a name with two dots in a zip archive', async () => {
    const path = await writeZip(fresh('.zip'), { 'a/xx/b': 'x' })
    const bytes = readFileSync(path).toString('latin1').replaceAll('a/xx/b', '../x/b')
    writeFileSync(path, bytes, 'latin1')
    await assert.rejects(contents(path), forbidden)
  })

  test('links are not followed, wherever they are', async () => {
    const tar = fresh('.tar')
    const header = { name: 'x/passwd', type: 'symlink', linkname: '/etc/passwd', size: 0 } as const
    writeFileSync(tar, await tarOf({ 'x/a': '1', 'x/b': '2' }, [{ header }]))
    const linked = writeFolder(fresh(''), { a: '1', b: '2' })
    symlinkSync('/etc/passwd', join(linked, 'passwd'))
    const zip = await writeZip(
      fresh('.zip'),
      { 'x/a': '1', 'x/b': '2', 'x/passwd': '/etc/passwd' },
      {
        'x/passwd': 0o120777,
      },
    )
    for (const path of [tar, linked, zip]) {
      const { files, skipped } = await contents(path)
      assert.deepEqual(files, { a: '1', b: '2' })
      assert.equal(skipped['link-in-archive']?.count, 1, path)
    }
  })

  test('of two files of one name the first one counts', async () => {
    const path = fresh('.tar')
    const header = { name: 'x/a', type: 'file', size: 1 } as const
    writeFileSync(path, await tarOf({ 'x/a': '1', 'x/b': '2' }, [{ header, body: '3' }]))
    const { files, skipped } = await contents(path)
    assert.deepEqual([files, skipped['archived-copy']?.count], [{ a: '1', b: '2' }, 1])
  })

  test('what unpacks to many times its size is refused once it is large', () => {
    const gigabyte = 1024 ** 3
    const bomb = /would unpack to more than/
    requireHarmless(1, gigabyte, 'other')
    requireHarmless(gigabyte / 9, 2 * gigabyte - gigabyte, 'other')
    requireHarmless(gigabyte / 4, 2 * gigabyte, 'other')
    assert.throws(() => requireHarmless(gigabyte / 10, 2 * gigabyte, 'other'), bomb)
    requireHarmless(gigabyte / 10, 2 * gigabyte, 'data')
    assert.throws(() => requireHarmless(gigabyte / 1000, 2 * gigabyte, 'data'), bomb)
  })
})

describe('what nothing here unpacks is refused before anything is read', () => {
  const unknown = /is encrypted or compressed with an unknown method/
  const withEntry = async (change: (zip: Buffer, at: number) => void) => {
    const path = await writeZip(fresh('.zip'), { 'x/a': '1', 'x/b': '2', 'x/c': '3' })
    const zip = readFileSync(path)
    const second = zip.indexOf('PK\x01\x02', zip.indexOf('PK\x01\x02') + 4, 'latin1')
    change(zip, second)
    writeFileSync(path, zip)
    return path
  }
  const open = async (path: string) => {
    const { signal } = new AbortController()
    const archive = await openArchive(path, { scratch: folder, notes: new Notes(), signal })
    await archive.close()
  }
  test('a file of a zip archive that is encrypted', async () => {
    const path = await withEntry((zip, at) =>
      zip.writeUInt16LE(zip.readUInt16LE(at + 8) | 1, at + 8),
    )
    await assert.rejects(open(path), unknown)
  })
  for (const method of [1, 6, 9, 12, 14, 93, 95, 99]) {
    test(`a file of a zip archive that is compressed by method ${method}`, async () => {
      const path = await withEntry((zip, at) => zip.writeUInt16LE(method, at + 10))
      await assert.rejects(open(path), unknown)
    })
  }
  const beginnings: Readonly<Record<string, string>> = {
    '7-Zip': '377abcaf271c0004',
    RAR: '526172211a0701',
    xz: 'fd377a585a000004',
    Zstandard: '28b52ffd0458',
    bzip2: '425a683931415926',
  }
  for (const [packer, beginning] of Object.entries(beginnings)) {
    test(`what ${packer} has packed, whatever its name`, async () => {
      for (const ending of ['.zip', '.tar.gz', '.json']) {
        const path = fresh(ending)
        writeFileSync(path, Buffer.concat([Buffer.from(beginning, 'hex'), Buffer.alloc(600, 'x')]))
        await assert.rejects(open(path), unknown)
      }
    })
  }
})

describe('a damaged archive is refused', () => {
  const damaged = /damaged|cut off/
  test('a gzipped one that is cut off', async () => {
    const path = await writeTarGz(fresh('.tar.gz'), { 'a/b': 'x'.repeat(50_000), 'a/c': 'y' })
    truncateSync(path, 120)
    await assert.rejects(contents(path), damaged)
  })
  test('a tar archive that is cut off', async () => {
    const path = fresh('.tar')
    writeFileSync(path, (await tarOf({ 'a/b': 'x'.repeat(50_000), 'a/c': 'y' })).subarray(0, 9000))
    await assert.rejects(contents(path), damaged)
  })
  test('a zip archive that is cut off', async () => {
    const path = await writeZip(fresh('.zip'), { 'a/b': 'x'.repeat(50_000), 'a/c': 'y' })
    truncateSync(path, 100)
    await assert.rejects(contents(path), damaged)
  })
  test('a zip archive with a changed byte', async () => {
    const path = await writeZip(fresh('.zip'), { 'a/b': Buffer.alloc(5000, 'xyz'), 'a/c': 'y' })
    const bytes = readFileSync(path)
    bytes.writeUInt8(bytes.readUInt8(45) ^ 0x55, 45)
    writeFileSync(path, bytes)
    await assert.rejects(contents(path), damaged)
  })
  test('an empty folder, and nothing at all', async () => {
    await assert.rejects(contents(writeFolder(fresh(''), {})), /There is no file or folder/)
    await assert.rejects(contents(mkdtempSync(join(folder, 'e-'))), /There are no files/)
  })
})

test('a gzipped file is read as often as wanted', async () => {
  const path = join(folder, 'export.json.gz')
  writeFileSync(path, gzipSync('{"a":[1]}'))
  const { signal } = new AbortController()
  const archive = await openArchive(path, { scratch: folder, notes: new Notes(), signal })
  for (let i = 0; i < 2; i++) {
    const parts: Uint8Array[] = []
    for await (const part of archive.read('export.json')) parts.push(part)
    assert.equal(Buffer.concat(parts).toString(), '{"a":[1]}')
  }
  assert.equal(archive.progress.done, 9)
})

describe('what fails in the middle of a large file ends at once', () => {
  const size = 64 * 1024 ** 2
  const zeros = Buffer.alloc(65536)

  test('a tar archive whose bytes cannot be read any further', async () => {
    const header = Buffer.from(await tarOf({ 'users.json': '' })).subarray(0, 512)
    header.write(`${size.toString(8).padStart(11, '0')}\0`, 124, 'latin1')
    header.fill(' ', 148, 156)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
    async function* packed() {
      yield header
      for (let at = 0; at < size / 2; at += zeros.length) yield zeros
      throw badRequest('It grows too large.')
    }
    const scratch = mkdtempSync(join(tmpdir(), 'parley-tar-'))
    const { signal } = new AbortController()
    const spooling = spoolTar(packed(), { scratch, notes: new Notes(), signal })
    await assert.rejects(spooling, /grows too large/)
    rmSync(scratch, { recursive: true, force: true })
  })

  test('a gzipped file of which nobody wants the rest', async () => {
    const packed = Readable.from([gzipSync(Buffer.alloc(size))])
    let length = 0
    for await (const part of unpacked(packed, createGunzip(), 'a.gz')) {
      length += part.length
      if (length > size / 2) break
    }
    assert.ok(length < size)
  })
})
