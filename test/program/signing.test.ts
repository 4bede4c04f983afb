import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hasValidSignature, sign } from '../../.build/sign.ts'

const textSize = 10_000
const linkEditSize = 300

/** A segment's command. @source Apple, mach-o/loader.h */
function segment(name: string, fileOffset: number, fileSize: number): Buffer {
  const command = Buffer.alloc(72)
  command.writeUInt32LE(0x19, 0)
  command.writeUInt32LE(command.length, 4)
  command.write(name, 8, 'latin1')
  command.writeBigUInt64LE(BigInt(fileOffset), 40)
  command.writeBigUInt64LE(BigInt(fileSize), 48)
  return command
}

/** A program for macOS, as far as a signature is concerned. */
function machO(room = 16): Buffer {
  const commands = [segment('__TEXT', 0, textSize), segment('__LINKEDIT', textSize, linkEditSize)]
  const header = Buffer.alloc(32)
  header.writeUInt32LE(0xfeedfacf, 0)
  header.writeUInt32LE(commands.length, 16)
  header.writeUInt32LE(Buffer.concat(commands).length, 20)
  const before = Buffer.concat([header, ...commands, Buffer.alloc(room)])
  const code = Buffer.alloc(textSize - before.length, 'code')
  return Buffer.concat([before, code, Buffer.alloc(linkEditSize, 'link')])
}

describe('a program for macOS', () => {
  test('is signed with the hashes of its pages, which any change belies', () => {
    const signed = sign(machO(), 'parley')
    assert.equal(hasValidSignature(signed), true)
    for (const at of [500, textSize + 10]) {
      const changed = Buffer.from(signed)
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
      assert.equal(hasValidSignature(changed), false, `byte ${at}`)
    }
  })

  test('keeps its code, and has the signature in its last segment', () => {
    const signed = sign(machO(), 'parley')
    assert.deepEqual(signed.subarray(200, textSize), machO().subarray(200, textSize))
    const linkEdit = 32 + 72
    const size = Number(signed.readBigUInt64LE(linkEdit + 48))
    assert.equal(textSize + size, signed.length)
    assert.ok(Number(signed.readBigUInt64LE(linkEdit + 32)) >= size, 'it is mapped whole')
  })

  test('gets a new signature in place of the one it has', () => {
    const once = sign(machO(), 'parley')
    assert.deepEqual(sign(once, 'parley'), once)
    const other = sign(once, 'another-name')
    assert.equal(hasValidSignature(other), true)
    assert.ok(other.includes('another-name\0'))
  })

  test('is refused where it cannot be signed', () => {
    assert.throws(() => sign(machO(0), 'parley'), /no room for a signature/)
    assert.throws(() => sign(Buffer.alloc(64), 'parley'), /Not a Mach-O file/)
    assert.throws(() => hasValidSignature(machO()), /no signature/)
  })
})
