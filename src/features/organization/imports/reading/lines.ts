import { longestRow, parse, type RowOptions } from './json-rows.ts'

const newline = 0x0a

/** Reads a file of JSON Lines value by value; unusable ones are left out and reported to `bad`. */
export async function* jsonLines(
  body: AsyncIterable<Uint8Array>,
  { bad, longest = longestRow }: Pick<RowOptions, 'bad' | 'longest'>,
): AsyncGenerator<unknown> {
  for await (const line of lines(body, longest, () => bad('too-long'))) {
    if (isBlank(line)) continue
    const value = parse(line, bad)
    if (value !== undefined) yield value
  }
}

function isBlank(line: Buffer): boolean {
  return line.length < 100 && line.toString('latin1').trim() === ''
}

async function* lines(
  body: AsyncIterable<Uint8Array>,
  longest: number,
  onLong: () => void,
): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  let length = 0
  function* take(rest: Buffer): Generator<Buffer> {
    const whole = parts.length === 0 ? rest : Buffer.concat([...parts, rest])
    const isLong = length + rest.length > longest
    parts = []
    length = 0
    if (isLong) onLong()
    else yield whole
  }
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    let start = 0
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
      yield* take(bytes.subarray(start, end))
      start = end + 1
    }
    length += bytes.length - start
    if (length > longest) parts = []
    else parts.push(Buffer.from(bytes.subarray(start)))
  }
  if (length > 0) yield* take(Buffer.alloc(0))
}
