/** Decodes the lines of a part of a mail, without their ends. */
export interface Decoder {
  update(line: Uint8Array): void
  finalize(): Promise<ArrayBuffer>
}

/** How many bytes of text may still be kept, of all parts together. */
export interface Allowance {
  left: number
}

const lineFeed = 0x0a
const padding = 0x3d
const smallestPiece = 64 * 1024

/**
 * A decoder for plain lines or base64. It uses little more memory than its output, however short
 * the lines are.
 *
 * @param allowance limits its output; the rest is dropped
 */
export function createDecoder(isBase64: boolean, allowance: Allowance): Decoder {
  const bytes = createBytes(allowance)
  const finalize = async () => bytes.take()
  if (!isBase64) {
    return {
      update(line) {
        bytes.add(line)
        bytes.addOne(lineFeed)
      },
      finalize,
    }
  }
  let [bits, count] = [0, 0]
  return {
    update(line) {
      for (const sign of line) {
        const value = values[sign] ?? -1
        if (value >= 0) {
          bits = ((bits << 6) | value) & 0xffff
          count += 6
          if (count >= 8) {
            count -= 8
            bytes.addOne((bits >> count) & 0xff)
          }
        } else if (sign === padding) {
          // What follows is a unit of its own: some programs pad each line.
          count = 0
        }
      }
    },
    finalize,
  }
}

/** The value of each sign of base64; -1: it is none. */
const values = new Int8Array(256).fill(-1)
for (const [value, sign] of [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
].entries()) {
  values[sign.charCodeAt(0)] = value
}

/** Passes lines to a decoder until its allowance is used up; undecoded lines count. */
export function limitDecoder(decoder: Decoder, allowance: Allowance): Decoder {
  return {
    update(line) {
      if (allowance.left <= 0) return
      allowance.left -= line.byteLength + 1
      decoder.update(line)
    },
    finalize: () => decoder.finalize(),
  }
}

/** A buffer that grows in pieces, each as long as all earlier ones. */
function createBytes(allowance: Allowance) {
  let whole = new Uint8Array(0)
  let length = 0

  function requireRoom(more: number): void {
    if (length + more <= whole.byteLength) return
    const grown = new Uint8Array(Math.max(2 * whole.byteLength, length + more, smallestPiece))
    grown.set(whole.subarray(0, length))
    whole = grown
  }

  return {
    add(part: Uint8Array): void {
      const kept = part.subarray(0, Math.max(Math.min(allowance.left, part.byteLength), 0))
      requireRoom(kept.byteLength)
      whole.set(kept, length)
      length += kept.byteLength
      allowance.left -= kept.byteLength
    },
    addOne(byte: number): void {
      if (allowance.left <= 0) return
      allowance.left -= 1
      if (length === whole.byteLength) requireRoom(1)
      whole[length++] = byte
    },
    take(): ArrayBuffer {
      return whole.buffer.slice(0, length)
    },
  }
}
