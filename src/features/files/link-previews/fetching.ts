import { type Outgoing, OutsideError, streamOutside } from '#platform/outgoing/fetch.ts'
import { follow } from '#platform/outgoing/redirects.ts'
import { charsetOf, factsOfOEmbed, oEmbedAddress, type PageFacts, readPage } from './page.ts'

/** For a page with all its redirects, in milliseconds. */
const timeout = 10_000
/** The most that is read of a page, in bytes. */
const mostBytes = 512 * 1024

/**
 * Fetches the description of a page.
 *
 * @param stopping aborted when the server stops, which ends the request
 * @returns undefined for anything but a page with a description
 */
export async function fetchPage(
  server: Outgoing,
  url: string,
  stopping: AbortSignal,
): Promise<PageFacts | undefined> {
  const known = oEmbedAddress(url)
  if (known !== undefined) return await fetchOEmbed(server, known, stopping)
  const page = await read(
    server,
    url,
    'text/html,application/xhtml+xml',
    /\b(?:html|xhtml\+xml)\b/i,
    stopping,
  )
  if (!page) return undefined
  const { facts, oEmbed } = await readPage(page.text, page.url)
  if (facts?.picture || oEmbed === '') return facts
  return (await fetchOEmbed(server, oEmbed, stopping)) ?? facts
}

async function fetchOEmbed(
  server: Outgoing,
  address: string,
  stopping: AbortSignal,
): Promise<PageFacts | undefined> {
  const reply = await read(server, address, 'application/json', /\bjson\b/i, stopping)
  return reply && factsOfOEmbed(reply.text)
}

/** The beginning of a document of a type. */
async function read(
  server: Outgoing,
  address: string,
  accept: string,
  types: RegExp,
  stopping: AbortSignal,
): Promise<{ readonly url: string; readonly text: string } | undefined> {
  try {
    const { url, reply } = await follow(server, address, timeout, async (each, signal) => {
      const { status, headers, body, close } = await streamOutside(server, each, {
        headers: { Accept: accept },
        timeout,
        signal: AbortSignal.any([signal, stopping]),
      })
      const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers
      const isWanted = status === 200 && types.test(type) && encoding === 'identity'
      const bytes = isWanted ? await beginning(body) : undefined
      close()
      return { status, headers, type, bytes }
    })
    return reply.bytes && { url, text: decoded(reply.bytes, reply.type) }
  } catch (error) {
    if (error instanceof OutsideError) return undefined
    throw error
  }
}

async function beginning(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    parts.push(part)
    size += part.byteLength
    if (size >= mostBytes) break
  }
  return Buffer.concat(parts).subarray(0, mostBytes)
}

function decoded(bytes: Buffer, contentType: string): string {
  const charset = charsetOf(contentType, bytes.subarray(0, 1024).toString('latin1'))
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch (error) {
    // Node does not support this encoding.
    if (error instanceof RangeError) return bytes.toString()
    throw error
  }
}
