import { codeClosers } from '#platform/markdown/code-spans.ts'

/** The fence with which a line opens or closes a block. */
const fence = /^(?:`{3,}|~{3,})/

interface Block {
  readonly fence: string
  readonly kind: 'quote' | 'spoiler' | 'code'
}

/**
 * The Markdown source of a message as plain text for a mail, in which links and the indents of code
 * stay, unlike in notifications: lines of quote blocks begin with `> `, the bodies of spoilers are
 * left out, links to uploaded files are absolute, and mentions and links to channels are as people
 * read them.
 */
export function plainText(source: string, realmUrl: string): string {
  const blocks: Block[] = []
  const lines: string[] = []
  const put = (line: string) => {
    if (blocks.some(({ kind }) => kind === 'spoiler')) return
    const depth = blocks.filter(({ kind }) => kind === 'quote').length
    const isCode = blocks.at(-1)?.kind === 'code'
    lines.push('> '.repeat(depth) + (isCode ? line : withNames(line)))
  }
  for (const line of source.split('\n')) {
    const [marks = ''] = fence.exec(line) ?? []
    const [word = '', ...others] = line
      .slice(marks.length)
      .trim()
      .split(/[ \t]+/)
    const inner = blocks.at(-1)
    if (inner && marks === inner.fence && word === '') {
      blocks.pop()
      if (inner.kind === 'code') put(line)
    } else if (marks && inner?.kind !== 'code') {
      const kind = word === 'quote' || word === 'spoiler' ? word : 'code'
      if (kind === 'code') put(line)
      if (kind === 'spoiler') put(`${others.join(' ') || 'Spoiler'} (hidden)`)
      blocks.push({ fence: marks, kind })
    } else put(line)
  }
  return lines.join('\n').replaceAll('](/user_uploads/', () => `](${realmUrl}/user_uploads/`)
}

/**
 * `@_**Iago|11**` as `@Iago`, `@*helpers*` as `@helpers`, `#**design>icons**` as `#design > icons`, but
 * code as it is. Takes time in proportion to the line.
 */
function withNames(line: string): string {
  const parts: string[] = []
  let end = 0
  for (const [start, close] of codeClosers(line)) {
    parts.push(namesRead(line.slice(end, start)), line.slice(start, close))
    end = close
  }
  return [...parts, namesRead(line.slice(end))].join('')
}

function namesRead(text: string): string {
  return text.replace(
    /@_?\*{1,2}([^*|`]+)(?:\|\d+)?\*{1,2}|#\*\*([^*>`]+)(?:>([^*`]+))?\*\*/g,
    (_, mentioned, channel, topic) => {
      if (mentioned) return `@${mentioned}`
      return topic ? `#${channel} > ${topic}` : `#${channel}`
    },
  )
}
