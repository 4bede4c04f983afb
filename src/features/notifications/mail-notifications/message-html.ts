import type { DefaultTreeAdapterMap } from 'parse5'
import { mailTime } from '#features/foundation/mail/times.ts'
import { escapeAttribute, escapeHtml } from '#platform/markdown/escape.ts'
import type { MailReader, ToMailHtml } from './shown.mails.ts'

type Node = DefaultTreeAdapterMap['childNode']
type Element = DefaultTreeAdapterMap['element']
type Fragment = DefaultTreeAdapterMap['documentFragment']

/** Elements that mail shows as they are, without attributes. */
const kept = new Set(
  `p strong em del code pre blockquote ul ol li h1 h2 h3 h4 h5 h6 table thead tbody tr th
  td`.split(/\s+/),
)
/** The same, without contents. */
const empty = new Set(['br', 'hr'])
/** Elements whose contents are not text. Messages contain none of them. */
const dropped = new Set('script style template iframe object svg math head title'.split(' '))

/** How much converted HTML is remembered, in characters. */
const mostRemembered = 4_000_000

/**
 * Loads `ToMailHtml` with its HTML parser: 15 ms that should not delay the start. It converts a
 * message once for all of its readers, as far as their language and time zone do not matter.
 */
export async function loadMessageHtml(): Promise<ToMailHtml> {
  const { parseFragment } = await import('parse5')
  const known = new Map<string, string>()
  let size = 0
  return (rendered, realmUrl, reader) => {
    const hasTimes = rendered.includes('<time')
    const zone = hasTimes ? `${reader.language.language} ${reader.timezone}` : ''
    const key = `${realmUrl} ${zone}\0${rendered}`
    const before = known.get(key)
    if (before !== undefined) return before
    const html = mailHtml(parseFragment(rendered), realmUrl, reader)
    if (size > mostRemembered) {
      known.clear()
      size = 0
    }
    known.set(key, html)
    size += key.length + html.length
    return html
  }
}

/**
 * The HTML of a message for a mail: only elements that mail programs show, with absolute links.
 * Nothing is loaded from anywhere: pictures and recordings become links, emoji text, and formulas
 * their source. The bodies of spoilers are left out.
 *
 * @param message HTML that this server has made
 * @param reader for times
 */
function mailHtml(message: Fragment, realmUrl: string, reader: MailReader): string {
  const linked = new Set<string>()

  function all(nodes: readonly Node[]): string {
    return nodes.map(one).join('')
  }

  function one(node: Node): string {
    if ('value' in node) return escapeHtml(node.value)
    if (!('tagName' in node) || dropped.has(node.tagName)) return ''
    const classes = attribute(node, 'class').split(' ')
    switch (node.tagName) {
      case 'a':
        return link(attribute(node, 'href'), all(node.childNodes))
      case 'img':
        return classes.includes('emoji') ? escapeHtml(attribute(node, 'alt')) : mediaLink(node)
      case 'audio':
      case 'video':
        return mediaLink(node)
      case 'time':
        return escapeHtml(shownTime(attribute(node, 'datetime'), reader))
      case 'span':
        return span(node, classes)
      case 'div':
        return block(node, classes)
      default:
        return plain(node)
    }
  }

  function plain(node: Element): string {
    const { tagName } = node
    if (empty.has(tagName)) return `<${tagName}>`
    if (!kept.has(tagName)) return all(node.childNodes)
    const start = /^\d{1,9}$/.exec(attribute(node, 'start'))?.[0]
    return `<${tagName}${start ? ` start="${start}"` : ''}>${all(node.childNodes)}</${tagName}>`
  }

  function span(node: Element, classes: readonly string[]): string {
    const emoji = classes.find((name) => /^emoji-[0-9a-f]+(-[0-9a-f]+)*$/.test(name))
    if (emoji) return charactersOf(emoji.slice('emoji-'.length))
    if (classes.includes('katex') || classes.includes('katex-display')) {
      return `<code>${escapeHtml(texSource(node))}</code>`
    }
    if (classes.includes('user-mention') || classes.includes('user-group-mention')) {
      return `<span class="mention">${all(node.childNodes)}</span>`
    }
    return all(node.childNodes)
  }

  function block(node: Element, classes: readonly string[]): string {
    if (classes.includes('spoiler-content')) {
      return '<p><em>What the author hid here is shown in the app.</em></p>\n'
    }
    // A card describes a link that is also in the text, in the words of another site.
    if (classes.includes('message_embed')) return ''
    if (!classes.includes('message_inline_image')) return all(node.childNodes)
    // A preview is beside its link, or replaces it.
    const [anchor] = node.childNodes.filter(isElement)
    const href = anchor ? attribute(anchor, 'href') : ''
    if (!anchor || linked.has(href)) return ''
    return `<p>${link(href, escapeHtml(attribute(anchor, 'title') || fileName(href)))}</p>\n`
  }

  function mediaLink(node: Element): string {
    const href = attribute(node, 'data-original-src') || attribute(node, 'src')
    const name = attribute(node, 'alt') || attribute(node, 'title') || fileName(href)
    return link(href, escapeHtml(name))
  }

  function link(href: string, shown: string): string {
    const url = absolute(href, realmUrl)
    if (url === undefined || shown === '') return shown
    linked.add(href)
    return `<a href="${escapeAttribute(url)}">${shown}</a>`
  }

  return all(message.childNodes).trim()
}

const isElement = (node: Node): node is Element => 'tagName' in node

function attribute(node: Element, name: string): string {
  return node.attrs.find((each) => each.name === name)?.value ?? ''
}

/** Undefined: mail should not link to it. */
function absolute(href: string, realmUrl: string): string | undefined {
  if (!URL.canParse(href, `${realmUrl}/`)) return undefined
  const url = new URL(href, `${realmUrl}/`)
  return /^(https?|mailto|tel|sms|xmpp|ftp|bitcoin):$/.test(url.protocol) ? url.href : undefined
}

/** The last part of a path, for a file that has no other name. */
function fileName(href: string): string {
  const last = href.split(/[?#]/)[0]?.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last) || href
  } catch {
    return last || href
  }
}

/** `1f1e9-1f1ea` as the emoji itself. */
function charactersOf(code: string): string {
  const points = code.split('-').map((hex) => Number.parseInt(hex, 16))
  return points.every((point) => point <= 0x10ffff) ? String.fromCodePoint(...points) : ''
}

/** The TeX of a formula, from the annotation that KaTeX adds. */
function texSource(node: Element): string {
  for (const child of node.childNodes) {
    if (!isElement(child)) continue
    if (child.tagName === 'annotation') {
      return child.childNodes.map((each) => ('value' in each ? each.value : '')).join('')
    }
    const found = texSource(child)
    if (found) return found
  }
  return ''
}

function shownTime(datetime: string, { language, timezone }: MailReader): string {
  const time = Date.parse(datetime)
  if (Number.isNaN(time)) return datetime
  return mailTime(language, time, timezone)
}
