import { createHash } from 'node:crypto'

/** Where a `Message-ID` is looked for, in bytes. */
const longestHeaders = 128 * 1024
const longestId = 1000

/** The `Message-ID` of a mail, as its sender names it; empty: it has none. Costs next to nothing. */
export function messageIdIn(source: Uint8Array): string {
  const start = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
    .subarray(0, longestHeaders)
    .toString('latin1')
  const end = /\r?\n\r?\n/.exec(start)?.index ?? start.length
  const headers = start.slice(0, end).replace(/\r?\n[ \t]+/g, ' ')
  return (/^message-id[ \t]*:(.*)/im.exec(headers)?.[1] ?? '').trim().slice(0, longestId)
}

/** What tells a mail from others before it is read: its `Message-ID`, or otherwise its contents. */
export function identityOf(source: Uint8Array): string {
  return messageIdIn(source) || createHash('sha256').update(source).digest('hex')
}
