import type * as v from 'valibot'
import {
  isEmpty,
  lined,
  linkTo,
  type Pieces,
  prefixed,
} from '#features/organization/imports/reading/content.ts'
import { blocksText, controlsText } from './blocks.ts'
import { decoded, heading, mrkdwn, plainText } from './mrkdwn.ts'
import type { Workspace } from './rich-text.ts'
import type { attachment, FileRow, MessageRow } from './rows.ts'

type Attachment = v.InferOutput<typeof attachment>

const isShared = (row: Attachment) => row.is_share || row.is_msg_unfurl

/** Whether an attachment shows a page that the text links to: that is left to the reader's client. */
export function isPreview(row: Attachment, links: ReadonlySet<string>): boolean {
  const { app_unfurl_url, from_url, original_url } = row
  if (isShared(row) || from_url === '') return false
  return [from_url, original_url, app_unfurl_url].some((url) => links.has(bareUrl(url)))
}

/** The pages that a message links to, by its text or as an app, if it may have a preview of one. */
export function linksIn({ attachments, blocks, text }: MessageRow): ReadonlySet<string> {
  if (attachments.every(({ from_url }) => from_url === '')) return new Set()
  const apps = attachments.filter(({ from_url }) => from_url === '')
  const source = decoded(`${text ?? ''} ${JSON.stringify([blocks, apps])}`)
  return new Set(source.match(/https?:\/\/[^\s<>|"\\]+/gi)?.map(bareUrl))
}

/** The part of an address that is the same however it is written. */
const bareUrl = (url: string) =>
  url
    .toLowerCase()
    .replace(/^https?:\/\/(www\.)?/, '')
    .replace(/#[\s\S]*$/, '')
    .replace(/\/$/, '')

/** Attachments of apps, and shared messages as quotes. */
export function attachmentText(row: Attachment, workspace: Workspace): Pieces {
  const { people } = workspace
  const { author_link, author_name, image_url, title, title_link } = row
  const author = (isShared(row) ? heading : mrkdwn)(author_name, people)
  const body = lined([
    title && title_link ? [linkTo(title_link, plainText(title, people))] : heading(title, people),
    blocksText(row.blocks, row.text, workspace),
    ...row.fields.map((each) => [
      ...heading(each.title, people),
      each.title && ': ',
      ...mrkdwn(each.value, people),
    ]),
    image_url ? [linkTo(image_url)] : [],
    ...sharedFiles(row.files),
    controlsText(row.actions, workspace),
  ])
  const pieces = lined([
    mrkdwn(row.pretext, people),
    author_name && author_link ? [linkTo(author_link, plainText(author_name, people))] : author,
    isEmpty(body) && isEmpty(mrkdwn(row.pretext, people)) ? mrkdwn(row.fallback, people) : body,
    mrkdwn(row.footer, people),
  ])
  return isShared(row) && !isEmpty(pieces) ? prefixed(pieces, '> ') : pieces
}

/** Links to files that come with another message. */
export const sharedFiles = (files: readonly (FileRow | null)[]): Pieces[] =>
  files.flatMap((file) =>
    file?.id === undefined ? [] : [[{ file: file.id, text: file.title || file.name || 'file' }]],
  )
