import { badRequest } from '#platform/errors.ts'
import { sentence } from '#translations/translate.ts'

/** A file of a tar archive that is stored without its holes, as the tar of macOS does by itself. */
export interface SparseFile {
  readonly name: string
  /** In bytes, with its holes. */
  readonly size: number
  /** The whole file, from what is stored of it. @throws BAD_REQUEST it is damaged */
  whole(stored: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
}

/** Where a part of a file that is not a hole begins, and how long it is, in bytes. */
type Part = readonly [start: number, length: number]

const block = 512
/** More parts than any file has, and more digits than any number. */
const most = { parts: 1_000_000, digits: 20 } as const
const zeros = Buffer.alloc(65_536)

/**
 * The sparse file that a header describes; undefined: it describes a plain one.
 *
 * @param pax the extended header
 * @throws BAD_REQUEST it does not say where its parts are
 * @source GNU tar, "Storing Sparse Files"
 */
export function sparseFile(pax: Readonly<Record<string, string>> = {}): SparseFile | undefined {
  const { 'GNU.sparse.major': version, 'GNU.sparse.map': map, 'GNU.sparse.name': name } = pax
  const written = pax['GNU.sparse.realsize'] ?? pax['GNU.sparse.size']
  if (written === undefined && version === undefined) return undefined
  const size = Number(written)
  if (!Number.isSafeInteger(size) || size < 0 || name === undefined) throw damaged()
  if (version !== '1' && map === undefined) throw damaged()
  return {
    name,
    size,
    async *whole(stored) {
      const take = takerOf(stored)
      const parts = version === '1' ? await readParts(take) : partsOf((map ?? '').split(','))
      yield* filled(parts, size, take)
    },
  }
}

const damaged = () => badRequest(sentence('The archive is damaged or cut off.'))

type Take = (most: number) => Promise<Buffer>

/** Gets the next bytes, at least one and at most so many; none at the end. */
function takerOf(stored: AsyncIterable<Uint8Array>): Take {
  const source = stored[Symbol.asyncIterator]()
  let rest = Buffer.alloc(0)
  return async (most) => {
    while (rest.length === 0) {
      const { done, value } = await source.next()
      if (done) return rest
      rest = Buffer.from(value)
    }
    const taken = rest.subarray(0, most)
    rest = rest.subarray(most)
    return taken
  }
}

/** Reads the list of parts that precedes them: their number and a line for each of theirs, in whole blocks. */
async function readParts(take: Take): Promise<Part[]> {
  const numbers: string[] = []
  let rest = ''
  while (numbers.length === 0 || numbers.length <= 2 * Number(numbers[0])) {
    if (rest.length > most.digits || Number(numbers[0]) > most.parts) throw damaged()
    for (let left = block; left > 0; ) {
      const taken = await take(left)
      if (taken.length === 0) throw damaged()
      rest += taken.toString('latin1')
      left -= taken.length
    }
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    numbers.push(...lines)
  }
  return partsOf(numbers.slice(1, 1 + 2 * Number(numbers[0])))
}

function partsOf(numbers: readonly string[]): Part[] {
  return Array.from({ length: Math.floor(numbers.length / 2) }, (_, i) => [
    Number(numbers[2 * i]),
    Number(numbers[2 * i + 1]),
  ])
}

/** The parts in their places, with zeros between them. */
async function* filled(
  parts: readonly Part[],
  size: number,
  take: Take,
): AsyncGenerator<Uint8Array> {
  let at = 0
  for (const [start, length] of [...parts, [size, 0] as const]) {
    if (!(start >= at && length >= 0 && start + length <= size)) throw damaged()
    for (; at < start; at = Math.min(start, at + zeros.length)) {
      yield zeros.subarray(0, Math.min(zeros.length, start - at))
    }
    for (const end = start + length; at < end; ) {
      const taken = await take(end - at)
      if (taken.length === 0) throw damaged()
      at += taken.length
      yield taken
    }
  }
}
