import { addOnce, type Context } from './context.ts'
import { escapeAttribute } from './escape.ts'
import { uploadOf } from './hrefs.ts'
import type { KnownUpload } from './types.ts'

/** More than this are not shown under one message. */
const maxPreviews = 24

const videoTypes = /^video\/(?:mp4|quicktime|webm)$/
const audioTypes = /^audio\//
const picturePath = /\.(?:bmp|gif|jpe|jpeg|jpg|png|webp)$/i
const videoPath = /\.(?:mov|mp4|webm)$/i

/** What a picture is called in the HTML until its thumbnail is there. */
export const placeholderClass = 'image-loading-placeholder'
/** Where clients get what they show until then. */
export const placeholderPath = '/static/images/loading/loader-black.svg'

interface Link {
  href: string
  /** Path id, when it leads to an upload. */
  upload: string | undefined
  /** What the author called it; undefined when the address itself is shown. */
  name: string | undefined
  /** The link as rendered. */
  link: string
}

/**
 * Notes whether a link leads to a picture, and what to show of a picture or video under the block.
 * Nothing is fetched: of foreign addresses the ending decides. Quotes have no previews, and each
 * address has one.
 *
 * @source clients.md §3.3
 */
export function previewLink(link: Link, context: Context): void {
  if (context.quoted) return
  const preview = previewOf(link, context)
  if (!preview) return
  if (preview.picture) context.links.hasImage = true
  if (!context.lookups.previewsEnabled || preview.html === undefined) return
  if (context.previewed.includes(link.href) || context.previewed.length >= maxPreviews) return
  context.previewed.push(link.href)
  // A picture says it all where its link says no more than its address or file name.
  const plain = link.name === undefined || link.name === fileName(link.href)
  context.previews.push({
    html: preview.html,
    replaces: preview.picture && plain ? link.link : undefined,
  })
}

function previewOf(
  link: Link,
  context: Context,
): { picture: boolean; html: string | undefined } | undefined {
  const title = link.name === undefined ? '' : ` title="${escapeAttribute(link.name)}"`
  const href = escapeAttribute(link.href)
  if (link.upload !== undefined) {
    const file = context.lookups.upload?.(link.upload)
    if (!file) return undefined
    if (isPicture(file)) {
      const image = `<img${uploadAttributes(file, [])}src="${thumbnail(link.upload, file)}">`
      return { picture: true, html: pictureHtml(href, title, image) }
    }
    if (!videoTypes.test(file.contentType)) return undefined
    return { picture: false, html: videoHtml(href, title, href) }
  }
  const path = pathOf(link.href)
  if (path === undefined) return undefined
  if (videoPath.test(path)) {
    const source = sourceOf(link.href, context)
    return { picture: false, html: source && videoHtml(href, title, escapeAttribute(source)) }
  }
  if (picturePath.test(path)) {
    const source = sourceOf(link.href, context)
    const image = source && `<img src="${escapeAttribute(source)}">`
    return { picture: true, html: image && pictureHtml(href, title, image) }
  }
  const video = youtubeVideo(link.href)
  if (video === undefined) return undefined
  const poster = sourceOf(`https://i.ytimg.com/vi/${video}/mqdefault.jpg`, context)
  const html =
    poster &&
    `<div class="youtube-video message_inline_image"><a data-id="${video}" href="${href}">` +
      `<img src="${escapeAttribute(poster)}"></a></div>`
  return { picture: false, html }
}

function pictureHtml(href: string, title: string, image: string): string {
  return `<div class="message_inline_image"><a href="${href}"${title}>${image}</a></div>`
}

function videoHtml(href: string, title: string, source: string): string {
  return (
    `<div class="message_inline_image message_inline_video"><a href="${href}"${title}>` +
    `<video preload="metadata" src="${source}"></video></a></div>`
  )
}

/** Where clients load a foreign picture or video from; those of this server have no host. */
function sourceOf(url: string, context: Context): string | undefined {
  const { externalContent, realmUrl } = context.lookups
  if (!/^https?:/i.test(url) || (realmUrl !== '' && url.startsWith(`${realmUrl}/`))) return url
  return externalContent ? externalContent(url) : url
}

/** The path of a web address or of an address on this server. */
function pathOf(href: string): string | undefined {
  return /^(?:https?:\/\/[^/?#]+)?(\/[^?#]*)/i.exec(href)?.[1]
}

function fileName(href: string): string | undefined {
  const name = pathOf(href)?.split('/').at(-1)
  try {
    return name && decodeURIComponent(name)
  } catch {
    return name
  }
}

const youtube =
  /^https?:\/\/(?:(?:www\.|m\.)?youtube(?:-nocookie)?\.com\/(?:watch\?(?:[^#]*&)?v=|shorts\/|embed\/|live\/|v\/)|youtu\.be\/)([\w-]{11})(?![\w-])/i

function youtubeVideo(href: string): string | undefined {
  return youtube.exec(href)?.[1]
}

/**
 * Renders `![name](upload)`: a picture in the text, or a sound to play. Undefined for all that is
 * neither, and for what is not an upload: nothing foreign is loaded without a link to it.
 */
export function mediaRenderer(
  href: string,
  name: string,
  context: Context,
): (() => string) | undefined {
  const upload = uploadOf(href)
  const file = upload === undefined ? undefined : context.lookups.upload?.(upload)
  if (upload === undefined || !file) return undefined
  const picture = isPicture(file)
  if (!picture && !audioTypes.test(file.contentType)) return undefined
  return () => {
    addOnce(context.links.uploads, upload)
    context.links.hasLink = true
    context.text.push(name)
    const url = escapeAttribute(href)
    if (!picture) {
      const title = name === '' ? '' : ` title="${escapeAttribute(name)}"`
      return `<audio controls preload="metadata" src="${url}"${title}></audio>`
    }
    if (!context.quoted) context.links.hasImage = true
    return (
      `<img alt="${escapeAttribute(name)}"${uploadAttributes(file, ['inline-image'])}` +
      `data-original-src="${url}" src="${thumbnail(upload, file)}">`
    )
  }
}

function isPicture(file: KnownUpload): boolean {
  return file.thumbnailed !== undefined
}

/** The attributes before `src`, with a space on both sides. */
function uploadAttributes(file: KnownUpload, classes: string[]): string {
  const all = file.thumbnailed ? classes : [...classes, placeholderClass]
  let attributes = all.length > 0 ? ` class="${all.join(' ')}"` : ''
  if (file.animated && file.thumbnailed) attributes += ' data-animated="true"'
  attributes += ` data-original-content-type="${escapeAttribute(file.contentType)}"`
  if (file.width !== undefined && file.height !== undefined) {
    attributes += ` data-original-dimensions="${file.width}x${file.height}"`
  }
  return `${attributes} `
}

function thumbnail(pathId: string, file: KnownUpload): string {
  if (!file.thumbnailed) return placeholderPath
  const path = pathId.split('/').map(encodeURIComponent).join('/')
  return `/user_uploads/thumbnail/${path}/840x560${file.animated ? '-anim' : ''}.webp`
}
