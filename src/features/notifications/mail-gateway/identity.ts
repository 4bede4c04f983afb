import { createHash } from 'node:crypto'

/** How much of a mail is searched for a `Message-ID`, in bytes. */
const longestHeaders = 128 * 1024
const longestId = 1000

/** The `Message-ID` of a mail; empty: it has none. Costs next to nothing. */
export function messageIdIn(source: Uint8Array): string {
  const start = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
    .subarray(0, longestHeaders)
    .toString('latin1')
  const end = /\r?\n\r?\n/.exec(start)?.index ?? start.length
  const headers = start.slice(0, end).replace(/\r?\n[ \t]+/g, ' ')
  return (/^message-id[ \t]*:(.*)/im.exec(headers)?.[1] ?? '').trim().slice(0, longestId)
}

/** Identifies a mail before it is read: by its `Message-ID`, or else its contents. */
export function identityOf(source: Uint8Array): string {
  return messageIdIn(source) || createHash('sha256').update(source).digest('hex')
}
