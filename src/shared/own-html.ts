/*
 * The elements of Parley's own HTML that are more than their words, as Markdown. Other Zulip
 * servers and clients write the same ones.
 */

export type OwnKind =
  | 'code'
  | 'formula'
  | 'formulas'
  | 'error'
  | 'name'
  | 'group'
  | 'place'
  | 'time'
  | 'emoji'
  | 'spoiler'
  | 'spoiler-head'
  | 'preview'
  | 'picture'
  | 'sound'
  | 'card'

type Attribute = (name: string) => string

const kindOfClass: Readonly<Record<string, OwnKind>> = {
  codehilite: 'code',
  katex: 'formula',
  'katex-display': 'formulas',
  'tex-error': 'error',
  'user-mention': 'name',
  'topic-mention': 'name',
  'user-group-mention': 'group',
  stream: 'place',
  'stream-topic': 'place',
  'message-link': 'place',
  'timestamp-error': 'time',
  emoji: 'emoji',
  'spoiler-block': 'spoiler',
  'spoiler-header': 'spoiler-head',
  message_inline_image: 'preview',
  'youtube-video': 'preview',
  'inline-image': 'picture',
  message_embed: 'card',
}

/** Other pages have dates, durations and fractions of seconds in times. */
const zulipMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

/** What an element is in Parley's HTML; undefined: what it is everywhere. */
export function ownKindOf(tag: string, attribute: Attribute): OwnKind | undefined {
  if (tag === 'time') return zulipMoment.test(attribute('datetime')) ? 'time' : undefined
  if (tag === 'audio') return 'sound'
  const classes = attribute('class')
  if (classes === '') return undefined
  for (const name of classes.split(/\s+/)) {
    const kind = Object.hasOwn(kindOfClass, name) ? kindOfClass[name] : undefined
    // Other pages call boxes of news a stream.
    if (kind && (kind !== 'place' || tag === 'a')) return kind
  }
  return undefined
}

/**
 * Where `data-source` says how an element was written, it is believed: `prepareCopy` of the client
 * knows more than the HTML says.
 *
 * @param words the text of the element
 * @returns undefined: it is what its contents are
 */
export function ownMarkdown(
  kind: OwnKind,
  attribute: Attribute,
  words: string,
): string | undefined {
  const source = attribute('data-source')
  switch (kind) {
    case 'name':
    case 'group':
      return mention(kind, attribute, source || words.trim().replace(/^@/, ''))
    case 'place':
      return place(attribute, words)
    case 'time':
      return `<time:${source || moment(attribute, words)}>`
    case 'emoji': {
      const name = attribute('aria-label') || attribute('title')
      return /(?:^| )emoji-[\da-f]/.test(attribute('class')) && /^[\w+ -]+$/.test(name)
        ? `:${name.replaceAll(' ', '_')}:`
        : undefined
    }
    case 'picture': {
      const file = attribute('data-original-src')
      return file === '' ? undefined : `![${attribute('alt')}](${file})`
    }
    case 'sound':
      return `![${attribute('title')}](${attribute('src')})`
    case 'card':
      return ''
    default:
      return undefined
  }
}

function mention(kind: 'name' | 'group', attribute: Attribute, name: string): string {
  const silent = /\bsilent\b/.test(attribute('class')) ? '_' : ''
  const mark = kind === 'group' ? '*' : '**'
  return name === '' ? '' : `@${silent}${mark}${name}${mark}`
}

/** What is written in a time, or its moment where other words are shown, as clients do. */
function moment(attribute: Attribute, words: string): string {
  const at = attribute('datetime')
  if (at === '') return words.replace(/^[^:]*: /, '')
  return attribute('title') === '' && /^[\d:TZ. +-]+$/.test(words) ? words : at
}

const hash =
  /#narrow\/(?:channel|stream)\/(\d+)[^/]*(?:\/topic\/([^/]*)(?:\/(near|with)\/(\d+))?)?$/

/** A link to a channel, topic or message, by its address: its text may be an earlier name. */
function place(attribute: Attribute, words: string): string | undefined {
  const [, id, encoded, kind, messageId] = hash.exec(attribute('href')) ?? []
  const text = words.trim()
  if (id === undefined || !text.startsWith('#')) return undefined
  const topic = encoded === undefined ? undefined : decoded(encoded)
  const angle = topic === undefined ? text.length : placeOfTopic(text, topic)
  const name = text.slice(1, angle)
  // So it was written, unless a name has changed since.
  const isPlain = !/[*\n]/.test(name + (topic ?? '')) && !name.includes('>')
  const message = kind === 'near' ? `@${messageId}` : ''
  if (topic === undefined) return isPlain ? `#**${name}**` : undefined
  return isPlain ? `#**${name}>${topic}${message}**` : undefined
}

/** Where the topic begins in `#channel > topic`. */
function placeOfTopic(text: string, topic: string): number {
  const at = topic === '' ? -1 : text.lastIndexOf(` > ${topic}`)
  return at === -1 ? text.indexOf(' > ') : at
}

function decoded(component: string): string {
  try {
    return decodeURIComponent(component.replaceAll('.', '%'))
  } catch {
    return component
  }
}

/** Whether Markdown may link to a relative address: conversations and files of a Parley server. */
export function isOwnAddress(href: string): boolean {
  return /^\/(?:user_uploads\/|#narrow\/)|^#narrow\//.test(href)
}

/** Names of languages that are not, in lower case, the word that begins a block of code. */
const words: Readonly<Record<string, string>> = Object.fromEntries(
  `ASCII armored=asc|Bash Session=console|Batchfile=batch|Cap'n Proto=capnp|Coldfusion HTML=cfm
  CSS+Django/Jinja=css+django|Darcs Patch=dpatch|Debian Control file=debcontrol
  Debian Sources file=debian.sources|Debian Sourcelist=debsources|Django/Jinja=django
  Elixir iex session=iex|EmacsLisp=elisp|E-mail=email|Erlang erl session=erl|Fantom=fan
  Gettext Catalog=pot|HTML + Angular2=html+ng2|HTML+Django/Jinja=html+django|IRC logs=irc
  Java Server Page=jsp|JavaScript+Django/Jinja=javascript+django|Julia console=jlcon|LessCss=less
  Lighttpd configuration file=lighttpd|Modula-2=modula2|MoinMoin/Trac Wiki markup=trac-wiki
  MSDOS Session=doscon|Nginx configuration file=nginx|OpenEdge ABL=openedge|PL/pgSQL=plpgsql
  PostgreSQL console (psql)=psql|PostgreSQL SQL dialect=postgresql|PowerShell Session=pwsh-session
  Protocol Buffer=protobuf|Python 2.x=python2|Python 2.x Traceback=py2tb
  Python console session=pycon|Python Traceback=pytb|reg=registry|RPMSpec=spec
  Ruby irb session=rbcon|SmartGameFormat=sgf|sqlite3con=sqlite3|Standard ML=sml|Text only=text
  Transact-SQL=tsql|VimL=vim|WebAssembly=wast|WebGPU Shading Language=wgsl
  XML+Django/Jinja=xml+django`
    .split(/\||\n\s*/)
    .map((pair) => pair.split('=')),
)

/** The word that begins a block of code in the language of this name. */
export function languageWord(name: string): string {
  if (Object.hasOwn(words, name)) return words[name] ?? ''
  const lower = name.toLowerCase()
  return /^[\w+\-./#]*$/.test(lower) ? lower : lower.replace(/[^\w+\-./#]+/g, '-')
}
