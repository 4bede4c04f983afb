import { withoutEnd } from '#shared/without-end.ts'
import { contentTypes } from './lazy.cjs'

/** In Unicode code points; URLs and file systems allow more. */
const longest = 120
const longestExtension = 20
const nameless = 'file'

/**
 * Sanitizes an uploaded file's name: removes folders, invisible and bidirectional control
 * characters, and characters that file systems forbid, and shortens long names.
 */
export function cleanFileName(name: string): string {
  const last = name.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const shown = last
    .replace(/[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\uFEFF\uFFFD]/gu, '')
    .replace(/[\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069]/g, '')
    .replace(/[<>:"|?*]/g, '_')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|(?<![. ])[. ]+$/g, '')
  return shorten(shown) || nameless
}

/** Sanitizes a file name for a URL: keeps letters, digits and characters that do not end a link. */
export function pathName(fileName: string): string {
  const plain = fileName
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-')
    .replace(/-{2,}/g, '-')
    .replace(/-?\.-?/g, '.')
    .replace(/^[.-]+/, '')
  return withoutEnd(plain, '.-') || nameless
}

/** Shortens a long name, keeping its extension. */
function shorten(name: string): string {
  const points = [...name]
  if (points.length <= longest) return name
  const dot = points.lastIndexOf('.')
  const extension = dot > 0 && points.length - dot <= longestExtension ? points.slice(dot) : []
  return [...points.slice(0, longest - extension.length), ...extension].join('')
}

/** The content type by the file's extension alone; the contents are untrusted. */
export function contentTypeOf(fileName: string): string {
  const extension = fileName.includes('.') ? contentTypes().getType(fileName) : null
  return extension ?? 'application/octet-stream'
}

/** The types that browsers show without running scripts. */
const harmless = new Set([
  'image/apng',
  'image/avif',
  'image/bmp',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
  'audio/aac',
  'audio/flac',
  'audio/mp4',
  'audio/mpeg',
  'audio/ogg',
  'audio/wav',
  'audio/webm',
  'audio/x-flac',
  'audio/x-wav',
  'text/plain',
  'video/mp4',
  'video/ogg',
  'video/quicktime',
  'video/webm',
])

/** Whether a browser may show the file in its window; it downloads all others. */
export function isHarmless(contentType: string): boolean {
  return harmless.has(contentType)
}

/**
 * The type under which a file is served: scripts and style sheets as plain text, so that no page of
 * this origin can be made to run or apply them.
 *
 * @source WHATWG MIME Sniffing Standard, "JavaScript MIME type"
 */
export function servedType(contentType: string): string {
  return /(java|ecma|j|live)script|^text\/css$/i.test(contentType) ? 'text/plain' : contentType
}

/**
 * The `Content-Disposition` header for showing or downloading a file.
 *
 * @source RFC 6266, RFC 8187
 */
export function contentDisposition(kind: 'inline' | 'attachment', fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  if (plain === fileName) return `${kind}; filename="${plain}"`
  const escaped = encodeURIComponent(fileName).replace(
    /['()*!]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${plain}"; filename*=UTF-8''${escaped}`
}
