import { type DefaultTreeAdapterMap, parseFragment, serialize } from 'parse5'

type Node = DefaultTreeAdapterMap['childNode']
type Element = DefaultTreeAdapterMap['element']
type Check = (value: string) => boolean

const exactly =
  (...values: string[]): Check =>
  (value) =>
    values.includes(value)
const matching =
  (pattern: RegExp): Check =>
  (value) =>
    pattern.test(value)
const anything: Check = () => true

/** Addresses without control characters, and with a scheme of a known few if with any. */
const safeAddress: Check = (value) => {
  if ([...value].some((char) => char <= ' ')) return false
  const scheme = /^([^/?#:]*):/.exec(value)?.[1]?.toLowerCase()
  const known = ['http', 'https', 'ftp', 'mailto', 'tel', 'sms', 'xmpp', 'bitcoin']
  return !value.startsWith('//') && (scheme === undefined || known.includes(scheme))
}

const dimensions = matching(/^\d+x\d+$/)
const id = matching(/^\d+$/)
const cell = {
  style: exactly('text-align: left;', 'text-align: center;', 'text-align: right;'),
}
const codeClasses = new Set(
  `w esc x k kc kd kn kp kr kt n na nb bp nc no nd ni ne nf fm py nl nn nx nt nv vc vg vi vm l ld s
  sa sb sc dl sd s2 se sh si sx sr s1 ss m mb mf mh mi mil mo o ow p pm c ch cm cp cpf c1 cs g gd ge
  gr gh gi go gp gs gu ges gt err`.split(/\s+/),
)

/** Every form that clients know, as a selector-like name, with its attributes. @source clients.md §3 */
const forms: Record<string, Record<string, Check>> = {
  ...Object.fromEntries(
    'p br hr h1 h2 h3 h4 h5 h6 ul li blockquote pre code strong em del table thead tbody tr'
      .split(' ')
      .map((name) => [name, {}]),
  ),
  ol: { start: id },
  th: cell,
  td: cell,
  a: { href: safeAddress, title: anything, 'data-id': matching(/^[\w-]{11}$/) },
  'a.stream': { 'data-stream-id': id, href: matching(/^\/#narrow\/channel\/\d+-[\w.%~-]*$/) },
  'a.stream-topic': { 'data-stream-id': id, href: matching(/^\/#narrow\/channel\//) },
  'a.message-link': { href: matching(/^\/#narrow\/channel\/.*\/near\/\d+$/) },
  'div.codehilite': { 'data-code-language': anything },
  'div.spoiler-block': {},
  'div.spoiler-header': {},
  'div.spoiler-content': { 'aria-hidden': exactly('true') },
  'div.message_inline_image': {},
  'div.message_inline_image.message_inline_video': {},
  'div.youtube-video.message_inline_image': {},
  'div.message_embed': {},
  'a.message_embed_image': {
    href: safeAddress,
    style: matching(/^background-image: url\("[^"'()\s\\]+"\)$/),
  },
  'div.data-container': {},
  'div.message_embed_title': {},
  'div.message_embed_description': {},
  span: {},
  'span.user-mention': { 'data-user-id': id },
  'span.user-mention.silent': { 'data-user-id': id },
  'span.user-mention.channel-wildcard-mention': { 'data-user-id': exactly('*') },
  'span.user-mention.channel-wildcard-mention.silent': { 'data-user-id': exactly('*') },
  'span.topic-mention': {},
  'span.topic-mention.silent': {},
  'span.user-group-mention': { 'data-user-group-id': id },
  'span.user-group-mention.silent': { 'data-user-group-id': id },
  'span.emoji': { 'aria-label': anything, role: exactly('img'), title: anything },
  'span.timestamp-error': {},
  'span.tex-error': {},
  'span.katex': {},
  'span.katex-display': {},
  time: { datetime: matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) },
  'img.emoji': { alt: anything, src: safeAddress, title: anything },
  img: {
    src: safeAddress,
    'data-original-content-type': anything,
    'data-original-dimensions': dimensions,
    'data-animated': exactly('true'),
  },
  audio: { controls: exactly(''), preload: exactly('metadata'), src: safeAddress, title: anything },
  video: { preload: exactly('metadata'), src: safeAddress },
}
forms['img.image-loading-placeholder'] = forms.img ?? {}
forms['img.inline-image'] = { ...forms.img, alt: anything, 'data-original-src': safeAddress }
forms['img.inline-image.image-loading-placeholder'] = forms['img.inline-image']

const blocks = new Set('p h1 h2 h3 h4 h5 h6 hr ul ol blockquote table div'.split(' '))
const inlines = new Set('a audio br code del em img span strong time'.split(' '))
const flow = new Set([...blocks, ...inlines])

/** What each element holds, where that is neither inline content nor nothing. */
const contents: Record<string, ReadonlySet<string>> = {
  '': blocks,
  blockquote: blocks,
  'div.spoiler-header': blocks,
  'div.spoiler-content': blocks,
  'div.spoiler-block': new Set(['div']),
  'div.codehilite': new Set(['pre']),
  'div.message_inline_image': new Set(['a']),
  'div.message_inline_image.message_inline_video': new Set(['a']),
  'div.youtube-video.message_inline_image': new Set(['a']),
  'div.message_embed': new Set(['a', 'div']),
  'a.message_embed_image': new Set(),
  'div.data-container': new Set(['div']),
  'div.message_embed_title': new Set(['a']),
  pre: new Set(['span', 'code']),
  ul: new Set(['li']),
  ol: new Set(['li']),
  li: flow,
  table: new Set(['thead', 'tbody']),
  thead: new Set(['tr']),
  tbody: new Set(['tr']),
  tr: new Set(['th', 'td']),
}
const withoutText = new Set(Object.keys(contents).filter((name) => name !== 'li'))

/**
 * What is wrong with the HTML of a message, for clients that accept only the forms they know: an
 * element, attribute, class or address that they do not, content out of place, or tags that do not
 * balance. Empty when all is well.
 */
export function problemsOf(html: string): string[] {
  const fragment = parseFragment(html)
  const problems: string[] = []
  const written = tagsOf(html)
  const understood = tagsOf(serialize(fragment))
  if (written !== understood) problems.push(`tags do not balance: ${written} / ${understood}`)
  checkChildren('', fragment.childNodes, problems)
  return problems
}

function tagsOf(html: string): string {
  const tags = html.matchAll(/<(\/?[a-z][a-z\d]*)(?:[^>"]|"[^"]*")*?(\/?)>/g)
  return [...tags].map(([, name, closed]) => `<${name}${closed && `></${name}`}>`).join('')
}

function checkChildren(parent: string, children: readonly Node[], problems: string[]): void {
  for (const child of children) {
    if (child.nodeName === '#text' && 'value' in child) {
      if (withoutText.has(parent) && child.value.trim() !== '') {
        problems.push(`text in ${parent || 'the message'}: ${child.value}`)
      }
    } else if ('tagName' in child) {
      checkElement(parent, child, problems)
    } else {
      problems.push(child.nodeName)
    }
  }
}

function checkElement(parent: string, element: Element, problems: string[]): void {
  const classes = classesOf(element)
  if (parent === 'code') {
    if (element.tagName !== 'span' || !classes.some((name) => codeClasses.has(name))) {
      problems.push(`in code: ${element.tagName}.${classes.join('.')}`)
    }
    if (element.childNodes.some((child) => child.nodeName !== '#text')) problems.push('nested code')
    return
  }
  const emoji = element.tagName === 'span' && classes[0] === 'emoji'
  if (emoji && !/^emoji-[\da-f]+(-[\da-f]+)*$/.test(classes[1] ?? '')) problems.push('emoji class')
  const name = [element.tagName, ...(emoji ? ['emoji'] : classes)].join('.')
  const form = forms[name]
  if (!form) {
    problems.push(`no such form: ${name}`)
    return
  }
  for (const { name: attribute, value } of element.attrs) {
    if (attribute === 'class') continue
    if (!form[attribute]?.(value)) problems.push(`${name} ${attribute}="${value}"`)
  }
  const allowed = contents[parent] ?? inlines
  if (!allowed.has(element.tagName) && !isPlayer(parent, element)) {
    problems.push(`${name} in ${parent || 'the message'}`)
  }
  if (name === 'span.katex' || name === 'span.katex-display') checkMath(element, problems)
  else checkChildren(name, element.childNodes, problems)
}

function isPlayer(parent: string, element: Element): boolean {
  return parent === 'a' && element.tagName === 'video'
}

function classesOf(element: Element): string[] {
  const value = element.attrs.find(({ name }) => name === 'class')?.value
  return value === undefined ? [] : value.split(' ')
}

const mathElements = new Set(
  `span svg path line math semantics annotation mrow mi mo mn ms mtext mspace mover munder munderover
  msub msup msubsup mfrac mroot msqrt mtable mtr mtd mstyle mpadded mphantom menclose mglyph
  mlabeledtr`.split(/\s+/),
)
const mathAttributes: Record<string, Check> = {
  class: matching(/^[\w -]*$/),
  style: matching(/^(?:[a-z-]+:[#\w.%() -]+;)*$/),
  href: () => false,
  src: () => false,
}

/** KaTeX's own output: known elements, and nothing that loads, links or runs. */
function checkMath(element: Element, problems: string[]): void {
  if (!mathElements.has(element.tagName)) problems.push(`in math: ${element.tagName}`)
  for (const { name, value } of element.attrs) {
    const check = mathAttributes[name] ?? anything
    if (name.startsWith('on') || !check(value)) problems.push(`in math: ${name}="${value}"`)
  }
  for (const child of element.childNodes) if ('tagName' in child) checkMath(child, problems)
}
