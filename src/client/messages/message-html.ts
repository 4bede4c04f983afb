import { Copy } from 'lucide'
import { momentText } from '#client/ui/dates.ts'
import type { IconNode } from '#client/ui/icon.tsx'
import { loadStyles } from '#client/ui/styles.ts'
import { t } from '#client/ui/t.ts'
import { trustedHtml } from '#client/ui/trusted-types.ts'
import { emojiText } from '#shared/emoji-text.ts'
import { reviveFiles } from './file-links.ts'
import { fit } from './picture-size.ts'

/*
 * Messages are HTML that the server rendered, from its own Markdown, with every element and attribute
 * of its choice. This is the only place where the client turns text into elements.
 */

/** The reader's settings and data on which the HTML of messages depends. */
export interface Reader {
  readonly store: {
    readonly selfId: number
    readonly settings: {
      peek(): {
        readonly twenty_four_hour_time: boolean
        readonly web_animate_image_previews: string
      }
    }
    readonly users: { peek(id: number): { readonly name: string } | undefined }
    readonly groups: { peek(id: number): { readonly memberIds: ReadonlySet<number> } | undefined }
  }
  /** Pictures that this page has sent, until the server has made them smaller. */
  readonly uploads?: { pictureOf(path: string): string | undefined }
}

/** A message of a few emoji and nothing else; those with a skin tone come as characters. */
const onlyEmoji =
  /^<p>(?:\s*(?:<(?:span|img)[^>]* class="emoji[^>]*>(?:[^<]*<\/span>)?|\p{ExtPict}(?:\p{EMod}|\ufe0f|\u200d\p{ExtPict})*)){1,6}\s*<\/p>$/u

/** What browsers must not translate in a text: names, and code. */
const untranslated = 'code, time, .katex, [class*=mention], .stream, .stream-topic, .message-link'

/**
 * Puts HTML of the server into an element, and makes it work: times in the reader's zone, spoilers,
 * copy buttons, links in place, pictures with their size reserved. Clicks are handled by
 * `message-clicks.ts`, for all messages together.
 *
 * @param html rendered by the server: of a message, a preview, a channel's description, a profile
 */
export function insertHtml(element: HTMLElement, html: string, reader: Reader): void {
  element.innerHTML = trustedHtml(withoutStyles(html))
  element.translate = true
  for (const kept of element.querySelectorAll<HTMLElement>(untranslated)) kept.translate = false
  for (const card of element.querySelectorAll<HTMLElement>('.message_embed')) reviveCard(card)
  restoreStyles(element)
  for (const link of element.querySelectorAll('a')) reviveLink(link)
  for (const emoji of element.querySelectorAll<HTMLElement>('span.emoji')) reviveEmoji(emoji)
  for (const time of element.querySelectorAll('time')) reviveTime(time, reader)
  for (const mention of element.querySelectorAll<HTMLElement>('.user-mention, .user-group-mention'))
    reviveMention(mention, reader)
  for (const block of element.querySelectorAll<HTMLElement>('.codehilite')) reviveCode(block)
  for (const block of element.querySelectorAll<HTMLElement>('.spoiler-block')) reviveSpoiler(block)
  for (const image of element.querySelectorAll('img')) reviveImage(image, reader)
  for (const video of element.querySelectorAll('video')) video.controls = true
  element.classList.toggle('only-emoji', onlyEmoji.test(html))
  reviveFiles(element)
  if (element.querySelector('.katex')) void loadStyles('formula').catch(() => {})
}

/**
 * The page's policy refuses style attributes, even in the server's HTML, and the browser reports
 * each. So they get another name and are applied by script.
 */
function withoutStyles(html: string): string {
  if (!html.includes(' style="')) return html
  return html.replace(/<[a-z][^<>]*>/gi, (tag) => tag.replace(' style="', ' data-style="'))
}

function restoreStyles(element: HTMLElement): void {
  for (const styled of element.querySelectorAll<HTMLElement>('[data-style]')) {
    styled.style.cssText = styled.dataset.style ?? ''
    styled.removeAttribute('data-style')
  }
}

/**
 * The picture of a card is a background in the HTML. As an image it loads lazily, and is removed if
 * it fails, or if it is the placeholder for clients that need a picture.
 */
function reviveCard(card: HTMLElement): void {
  const frame = card.querySelector<HTMLAnchorElement>('.message_embed_image')
  const [, source = ''] = /url\("(.+)"/.exec(frame?.dataset.style ?? '') ?? []
  if (!frame || source.startsWith('/static/')) {
    frame?.remove()
    return
  }
  frame.removeAttribute('data-style')
  // The title beside it leads to the same page.
  frame.tabIndex = -1
  frame.ariaHidden = 'true'
  const image = document.createElement('img')
  image.src = source
  frame.append(image)
}

function reviveLink(link: HTMLAnchorElement): void {
  const href = link.getAttribute('href')
  if (href === null) return
  if (href.startsWith('#')) return
  if (!/^(https?|mailto):$/.test(link.protocol)) {
    link.removeAttribute('href')
    return
  }
  const isHere = link.origin === location.origin
  if (isHere && (link.pathname === '/' || link.pathname === location.pathname) && link.hash) {
    link.setAttribute('href', link.hash)
    return
  }
  link.target = '_blank'
  link.rel = 'noopener noreferrer'
}

/** Emoji come as `<span class="emoji emoji-1f419">:octopus:</span>`; the system draws the glyph. */
function reviveEmoji(emoji: HTMLElement): void {
  const code = /(?:^| )emoji-([0-9a-f-]+)/.exec(emoji.className)?.[1]
  if (code) emoji.textContent = emojiText(code)
}

function reviveTime(time: HTMLTimeElement, { store }: Reader): void {
  const at = Date.parse(time.dateTime) / 1000
  if (Number.isNaN(at)) return
  time.title = t('In your time zone. Written as: {text}', { text: time.textContent ?? '' })
  time.textContent = momentText(at, store.settings.peek())
}

function reviveMention(mention: HTMLElement, { store }: Reader): void {
  const { userId } = mention.dataset
  const isSilent = mention.classList.contains('silent')
  if (userId === '*') {
    mention.classList.toggle('mention-self', !isSilent)
    return
  }
  if (userId !== undefined) {
    const user = store.users.peek(Number(userId))
    if (user) mention.textContent = isSilent ? user.name : `@${user.name}`
    mention.classList.toggle('mention-self', !isSilent && Number(userId) === store.selfId)
  } else {
    const group = store.groups.peek(Number(mention.dataset.userGroupId))
    const isMember = group?.memberIds.has(store.selfId) ?? false
    mention.classList.toggle('mention-self', isMember && !isSilent)
  }
  mention.setAttribute('role', 'button')
  mention.tabIndex = 0
}

function reviveCode(block: HTMLElement): void {
  const bar = document.createElement('span')
  bar.className = 'row tight code-bar'
  const language = block.dataset.codeLanguage
  if (language) {
    const name = document.createElement('span')
    name.className = 'code-language'
    name.textContent = language
    bar.append(name)
  }
  const copy = document.createElement('button')
  copy.type = 'button'
  copy.className = 'icon-button code-copy'
  copy.title = t('Copy code')
  copy.setAttribute('aria-label', t('Copy code'))
  copy.append(iconElement(Copy))
  bar.append(copy)
  block.append(bar)
  // A block that scrolls sideways has to be reachable by keyboard.
  const code = block.querySelector('pre')
  if (code) code.tabIndex = 0
}

/** Replaces the command `/me` in the HTML by the name of the sender. */
export function withoutMe(html: string): string {
  return html.replace(/^<p>\/me\s*/, '<p>')
}

function reviveSpoiler(block: HTMLElement): void {
  const header = block.querySelector<HTMLElement>('.spoiler-header')
  const content = block.querySelector<HTMLElement>('.spoiler-content')
  if (!header || !content) return
  if (header.textContent?.trim() === '') header.textContent = t('Spoiler')
  header.setAttribute('role', 'button')
  header.tabIndex = 0
  openSpoiler(header, content, false)
}

/** Shows or hides the contents of a spoiler. */
export function toggleSpoiler(header: HTMLElement): void {
  const content = header.parentElement?.querySelector<HTMLElement>('.spoiler-content')
  if (content) openSpoiler(header, content, content.hasAttribute('hidden'))
}

function openSpoiler(header: HTMLElement, content: HTMLElement, isOpen: boolean): void {
  content.hidden = !isOpen
  content.setAttribute('aria-hidden', String(!isOpen))
  header.setAttribute('aria-expanded', String(isOpen))
}

/** External pictures that could not be loaded. */
const missing = new Set<string>()

function reviveImage(image: HTMLImageElement, { store, uploads }: Reader): void {
  if (image.classList.contains('emoji')) return
  const preview = image.closest('.youtube-video, .message_embed_image')
  // An external picture that fails to load is hidden, and not asked for again.
  if (preview && missing.has(image.src)) preview.remove()
  else if (preview) {
    image.onerror = () => {
      missing.add(image.src)
      preview.remove()
    }
  }
  image.decoding = 'async'
  image.loading = 'lazy'
  const [width, height] = (image.dataset.originalDimensions ?? '').split('x').map(Number)
  if (width && height) {
    const size = fit({ width, height })
    image.width = size.width
    image.height = size.height
    // The placeholder is a square.
    image.style.aspectRatio = `${width}/${height}`
  } else {
    image.classList.add('picture-unsized')
  }
  const link = image.closest('a')
  const own = image.matches('.image-loading-placeholder')
    ? uploads?.pictureOf(image.dataset.originalSrc ?? link?.getAttribute('href') ?? '')
    : undefined
  if (own) {
    image.src = own
    image.classList.remove('image-loading-placeholder')
  }
  if (!image.alt) image.alt = link?.title || t('Picture')
  if (image.dataset.animated && store.settings.peek().web_animate_image_previews !== 'always') {
    image.src = stillOf(image.src)
  }
  if (!link) {
    // An inline picture opens the lightbox without a link around it.
    image.tabIndex = 0
    image.setAttribute('role', 'button')
  }
}

/** The first picture of an animated thumbnail. */
export function stillOf(url: string): string {
  return url.replace(/-anim\.webp$/, '.webp')
}

/** An icon, for HTML that is not drawn by components. */
export function iconElement(node: IconNode): SVGElement {
  const namespace = 'http://www.w3.org/2000/svg'
  const icon = document.createElementNS(namespace, 'svg')
  const attributes = {
    class: 'icon',
    width: 16,
    height: 16,
    viewBox: '0 0 24 24',
    fill: 'none',
    stroke: 'currentColor',
    'stroke-width': 2,
    'aria-hidden': 'true',
  }
  for (const [name, value] of Object.entries(attributes)) icon.setAttribute(name, String(value))
  for (const [tag, parts] of node) {
    const part = document.createElementNS(namespace, tag)
    for (const [name, value] of Object.entries(parts)) part.setAttribute(name, String(value))
    icon.append(part)
  }
  return icon
}
