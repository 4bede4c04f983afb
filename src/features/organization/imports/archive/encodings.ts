/** Whether a file is text for programs, which some tools save in another encoding than UTF-8. */
export const isText = (path: string) => /\.(?:json|jsonl|ndjson)$/i.test(path)

/**
 * Text in UTF-8, if it was in UTF-16: by its mark, or by the half of the first character of JSON that
 * is empty.
 */
export async function* inUtf8(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let decoder: TextDecoder | undefined
  let isFirst = true
  for await (const part of body) {
    if (isFirst && part.length > 0) {
      isFirst = false
      const encoding = utf16In(part)
      decoder = encoding === undefined ? undefined : new TextDecoder(encoding)
    }
    yield decoder ? Buffer.from(decoder.decode(part, { stream: true })) : part
  }
  const rest = decoder?.decode() ?? ''
  if (rest !== '') yield Buffer.from(rest)
}

function utf16In([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (first === undefined || second === undefined) return undefined
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le'
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be'
  return undefined
}
