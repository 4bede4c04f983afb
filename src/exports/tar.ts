/** A file on its way into an archive. */
export interface Entry {
  /** With slashes between folders. */
  readonly path: string
  /** In bytes: exactly what `contents` give. */
  readonly size: number
  readonly contents: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

const block = 512
/** The longest path that the old header takes, in bytes. */
const shortPath = 100

/**
 * A tar archive of these files, in pieces, as any tar unpacks it; paths that are long or not ASCII
 * come in extended headers.
 *
 * @param time of all the files, in seconds since the epoch
 * @source POSIX.1-2001, pax interchange format
 */
export async function* tar(
  entries: AsyncIterable<Entry>,
  time: number,
): AsyncGenerator<Uint8Array> {
  for await (const { path, size, contents } of entries) {
    const plain = plainPath(path)
    if (plain !== path) {
      const record = Buffer.from(paxRecord('path', path))
      yield header('pax-header', record.byteLength, 'x', time)
      yield record
      yield padding(record.byteLength)
    }
    yield header(plain, size, '0', time)
    let written = 0
    for await (const part of contents) {
      written += part.byteLength
      yield part
    }
    if (written !== size) throw new Error(`${path} has ${written} bytes instead of ${size}.`)
    yield padding(size)
  }
  yield new Uint8Array(2 * block)
}

/** What tars see that know no extended headers. */
function plainPath(path: string): string {
  return path.replace(/[^\x20-\x7e]/g, '_').slice(-shortPath)
}

/** `<length> <name>=<value>\n`, where the length counts itself. */
function paxRecord(name: string, value: string): string {
  const rest = ` ${name}=${value}\n`
  const bytes = Buffer.byteLength(rest)
  let length = bytes + String(bytes).length
  if (bytes + String(length).length > length) length += 1
  return `${length}${rest}`
}

function header(path: string, size: number, kind: '0' | 'x', time: number): Uint8Array {
  const bytes = Buffer.alloc(block)
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  bytes.write(path, 0, shortPath, 'latin1')
  bytes.write(octal(0o644, 7), 100, 'latin1')
  bytes.write(octal(0, 7), 108, 'latin1')
  bytes.write(octal(0, 7), 116, 'latin1')
  bytes.write(octal(size, 11), 124, 'latin1')
  bytes.write(octal(time, 11), 136, 'latin1')
  bytes.write(' '.repeat(8), 148, 'latin1')
  bytes.write(kind, 156, 'latin1')
  bytes.write('ustar\x0000', 257, 'latin1')
  const sum = bytes.reduce((total, byte) => total + byte, 0)
  bytes.write(`${octal(sum, 6)} `, 148, 'latin1')
  return bytes
}

function padding(size: number): Uint8Array {
  return new Uint8Array((block - (size % block)) % block)
}
