import { addOnce, type Context } from './context.ts'
import { escapeAttribute, escapeHtml } from './escape.ts'
import { pathWithin, uploadOf } from './hrefs.ts'
import type { KnownUpload, PageCard } from './types.ts'

/** The most cards of web pages per message. */
const maxCards = 5
/** The longest address of a web page that gets a card, in UTF-16 code units. */
const longestPage = 2000

/** The most previews per message. */
const maxPreviews = 24

const videoTypes = /^video\/(?:mp4|quicktime|webm)$/
const audioTypes = /^audio\//
const picturePath = /\.(?:bmp|gif|jpe|jpeg|jpg|png|webp)$/i
const videoPath = /\.(?:mov|mp4|webm)$/i

/** The class of an image until its thumbnail is ready. */
export const placeholderClass = 'image-loading-placeholder'
/** The path of the image that clients show until then. */
export const placeholderPath = '/static/images/loading/loader-black.svg'

/** The path of the picture of cards whose pages have none. */
export const cardPicturePath = '/static/images/link-card.png'

interface Link {
  href: string
  /** The path ID, if it points to an upload. */
  upload: string | undefined
  /** The link text; undefined if the URL itself is shown. */
  name: string | undefined
  /** The HTML of the link. */
  link: string
}

/**
 * Records whether a link points to an image or a web page, and adds the preview of an image or
 * video, or the card of a page. Nothing is fetched: for external URLs, the file extension decides,
 * and cards show what the look-up already knows. Quotes have no previews, and each URL has at most
 * one.
 *
 * @source Zulip API, "Message formatting" (feature levels 275 to 336)
 */
export function previewLink(link: Link, context: Context): void {
  if (context.quoted) return
  const preview = cardOf(link, context) ?? previewOf(link, context)
  if (!preview) return
  if (preview.picture) context.links.hasImage = true
  if (preview.html === undefined) return
  if (!preview.isCard && !context.lookups.previewsEnabled) return
  if (context.previewed.includes(link.href) || context.previewed.length >= maxPreviews) return
  context.previewed.push(link.href)
  // The preview may replace the link if its text is only the URL or the file name.
  const plain = link.name === undefined || link.name === fileName(link.href)
  context.previews.push({
    html: preview.html,
    replaces: preview.picture && plain ? link.link : undefined,
  })
}

interface LinkPreview {
  /** Whether it is of a picture itself. */
  picture: boolean
  html: string | undefined
  isCard?: true
}

/** The card of an external web page, in the form that clients know. */
function cardOf({ href, upload }: Link, context: Context): LinkPreview | undefined {
  const { pages } = context.links
  const { card: find, realmUrl } = context.lookups
  if (upload !== undefined || href.length > longestPage || !/^https?:/i.test(href)) return undefined
  if (pathWithin(href, realmUrl) !== undefined) return undefined
  const path = pathOf(href) ?? ''
  if (videoPath.test(path) || picturePath.test(path)) return undefined
  // The parts of a page are fetched, and known, as one.
  const page = href.replace(/#.*$/s, '')
  if (pages.length < maxCards) addOnce(pages, page)
  const card = pages.includes(page) ? find?.(page) : undefined
  return card && { picture: false, html: cardHtml(escapeAttribute(href), card), isCard: true }
}

/**
 * Clients do not support cards without a picture, so a card without one shows the icon of a link.
 */
function cardHtml(
  href: string,
  { title, description, picture = cardPicturePath }: PageCard,
): string {
  const name = escapeAttribute(title)
  // In the address of a picture, a quote or a parenthesis would end it.
  const source = escapeAttribute(
    `"${picture.replace(/["'()\\\s]/g, (sign) => encodeURIComponent(sign))}"`,
  )
  return (
    `<div class="message_embed"><a class="message_embed_image" href="${href}" ` +
    `style="background-image: url(${source})"></a><div class="data-container">` +
    `<div class="message_embed_title"><a href="${href}" title="${name}">${escapeHtml(title)}</a></div>` +
    (description && `<div class="message_embed_description">${escapeHtml(description)}</div>`) +
    '</div></div>'
  )
}

function previewOf(link: Link, context: Context): LinkPreview | undefined {
  const title = link.name === undefined ? '' : ` title="${escapeAttribute(link.name)}"`
  const href = escapeAttribute(link.href)
  if (link.upload !== undefined) {
    const file = context.lookups.upload?.(link.upload)
    if (!file) return undefined
    if (isPicture(file)) {
      const img = `<img${uploadAttributes(file, [])}src="${thumbnail(link.upload, file)}">`
      return { picture: true, html: pictureHtml(href, title, img) }
    }
    if (!videoTypes.test(file.contentType)) return undefined
    return { picture: false, html: videoHtml(href, title, href) }
  }
  const path = pathOf(link.href)
  if (path === undefined) return undefined
  if (videoPath.test(path)) {
    const source = sourceOf(link.href, 'video', context)
    return { picture: false, html: source && videoHtml(href, title, escapeAttribute(source)) }
  }
  if (picturePath.test(path)) {
    const source = sourceOf(link.href, 'picture', context)
    const img = source && `<img src="${escapeAttribute(source)}">`
    return { picture: true, html: img && pictureHtml(href, title, img) }
  }
  const video = youtubeVideo(link.href)
  if (video === undefined) return undefined
  const poster = sourceOf(`https://i.ytimg.com/vi/${video}/mqdefault.jpg`, 'picture', context)
  const html =
    poster &&
    `<div class="youtube-video message_inline_image"><a data-id="${video}" href="${href}">` +
      `<img src="${escapeAttribute(poster)}"></a></div>`
  return { picture: false, html }
}

function pictureHtml(href: string, title: string, img: string): string {
  return `<div class="message_inline_image"><a href="${href}"${title}>${img}</a></div>`
}

function videoHtml(href: string, title: string, source: string): string {
  return (
    `<div class="message_inline_image message_inline_video"><a href="${href}"${title}>` +
    `<video preload="metadata" src="${source}"></video></a></div>`
  )
}

/** The URL from which clients load an image or video: external ones may go through a proxy. */
function sourceOf(url: string, kind: 'picture' | 'video', context: Context): string | undefined {
  const { externalContent, realmUrl } = context.lookups
  if (!/^https?:/i.test(url) || pathWithin(url, realmUrl)) return url
  return externalContent ? externalContent(url, kind) : url
}

/** The path of a web URL or of a URL on this server. */
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
 * Renders `![name](upload)`: an inline image or an audio player. Undefined for other files and for
 * external URLs, which clients must not load automatically.
 *
 * @source Zulip API, "Message formatting" (feature levels 405, 437 and 467)
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

/** The attributes before `src`, surrounded by spaces. */
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
