import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants, gzip } from 'node:zlib'

/** A file for the browser. */
export interface AssetFile {
  readonly type: string
  readonly bytes: Uint8Array
  /** Whether the bytes are brotli-compressed. */
  readonly isPacked?: boolean
}

/** Bytes as they go over the wire. */
export interface EncodedBytes {
  readonly bytes: Uint8Array
  /** For the header `Content-Encoding`; undefined: as they are. */
  readonly encoding: 'br' | 'gzip' | undefined
}

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
  webp: 'image/webp',
}

/** The media type of a file by its name. */
export function typeOf(name: string): string {
  return types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
}

const done = new WeakMap<AssetFile, Map<string, Promise<Uint8Array>>>()

/**
 * A file in an encoding that a browser accepts; each is made once. Fonts are already compressed.
 *
 * @param accepted the header `Accept-Encoding`
 */
export async function encoded(file: AssetFile, accepted: string): Promise<EncodedBytes> {
  const encoding = /^(?:text\/|application\/json)/.test(file.type)
    ? encodingOf(accepted)
    : undefined
  const ways = done.get(file) ?? new Map<string, Promise<Uint8Array>>()
  done.set(file, ways)
  const way = encoding ?? 'plain'
  const bytes = ways.get(way) ?? convert(file, way)
  ways.set(way, bytes)
  return { bytes: await bytes, encoding }
}

/**
 * Browsers send a plain list; a client that forbids one with `;q=0` gets the file uncompressed.
 */
function encodingOf(accepted: string): EncodedBytes['encoding'] {
  const names = accepted.split(',').map((name) => name.trim())
  return (['br', 'gzip'] as const).find((name) => names.includes(name))
}

const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)
const zip = promisify(gzip)

async function convert(file: AssetFile, way: string): Promise<Uint8Array> {
  if (way === 'br') {
    // The quality while a browser waits; the build uses the best one.
    const params = { [constants.BROTLI_PARAM_QUALITY]: 5 }
    return file.isPacked ? file.bytes : await compress(file.bytes, { params })
  }
  const plain = file.isPacked ? await decompress(file.bytes) : file.bytes
  return way === 'gzip' ? await zip(plain, { level: 9 }) : plain
}
