import { linkTo } from '#features/organization/imports/reading/content.ts'
import { downloaded, unavailable } from '#features/organization/imports/reading/downloads.ts'
import type { Reason } from '#features/organization/imports/report.ts'
import type { Reading } from '#features/organization/imports/source.ts'
import type { FileItem, Reference } from '#features/organization/imports/stream.ts'
import type { Spot } from './channels.ts'
import type { Messages } from './messages.ts'
import { withoutToken } from './mrkdwn.ts'
import type { FileRow } from './rows.ts'

/** The hosts of files, to which the token may be sent. */
const hosts = /(^|\.)(slack\.com|slack-files\.com|slack-gov\.com)$/

/** The link to a file in a message, with the file if it is Slack's. */
export interface Shown {
  readonly item?: FileItem
  readonly text: string | Reference
}

/**
 * A file as a message has it.
 *
 * @param fallback its key if it has none
 */
export function shownFile(
  { archived, origin, people, reading }: Messages,
  { folder }: Spot,
  row: FileRow,
  fallback: string,
): Shown {
  const name = row.name || row.title || 'file'
  const key = row.id ?? fallback
  const path = archived.file(row, folder)
  if (path === undefined && row.is_external && row.url_private !== undefined) {
    return { text: linkTo(withoutToken(row.url_private), row.title || name) }
  }
  return {
    item: {
      type: 'file',
      key,
      name,
      contentType: row.mimetype,
      owner: row.user === undefined ? undefined : people.keyOf(row.user),
      created: row.created,
      ...(path === undefined ? toFetch(reading, row, key, origin) : inArchive(reading, path)),
    },
    text: { file: key, text: row.title || name },
  }
}

type Content = Pick<FileItem, 'body' | 'size'>

const inArchive = ({ archive }: Reading, path: string): Content => ({
  body: () => archive.read(path),
  size: archive.size(path),
})

function toFetch(reading: Reading, row: FileRow, key: string, origin: string): Content {
  const found = addressOf(row, origin)
  if ('reason' in found) return { body: () => unavailable(found.reason) }
  const headers = headersOf(reading, found.url)
  return {
    body: downloaded(reading, { ...found, key: `slack ${key}`, headers }),
    size: row.size,
  }
}

type Address = { readonly url: string; readonly contentType: string | undefined }

function addressOf(row: FileRow, origin: string): Address | { readonly reason: Reason } {
  const { file_access, mimetype, mode, url_private, url_private_download } = row
  if (mode === 'tombstone' || mode === 'hidden_by_limit') return { reason: 'removed' }
  if (file_access === 'access_denied' || file_access === 'file_not_found') {
    return { reason: 'no-access' }
  }
  const url = url_private_download || url_private || ''
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const isSlacks = parsed?.protocol === 'https:' && hosts.test(parsed.hostname)
  if (!isSlacks && parsed?.origin !== origin) return { reason: 'missing-file' }
  return { url, contentType: mimetype }
}

/** The address contains the export's own token, or else another token is needed. */
function headersOf({ options }: Reading, url: string): Record<string, string> {
  const { token } = options
  if (token === undefined || new URL(url).searchParams.has('t')) return {}
  return { Authorization: `Bearer ${token.replace(/[^\x21-\x7e]/g, '')}` }
}
