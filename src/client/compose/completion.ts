import type { Channel } from '#client/state/model.ts'
import type { Store } from '#client/state/store.ts'
import { fold } from '#client/ui/fuzzy.ts'

/** The part of the text at the caret that could be completed. */
export interface Completion {
  readonly kind:
    | 'mention'
    | 'silent'
    | 'channel'
    | 'topic'
    | 'emoji'
    | 'command'
    | 'language'
    | 'time'
  /** The typed part of it. */
  readonly query: string
  /** The part of the text that a candidate replaces: up to the caret. */
  readonly start: number
  readonly end: number
  /** For a topic. */
  readonly channelId?: number
  /** For a language: the marks that end the block, if nothing ends it yet. */
  readonly closing?: string
}

/** Names are not longer than this, so nothing further back is considered. */
const farthest = 200

/** The completable text at the caret; undefined for plain text and inside code. */
export function completionAt(text: string, caret: number, store: Store): Completion | undefined {
  const lineStart = text.lastIndexOf('\n', caret - 1) + 1
  const line = text.slice(Math.max(lineStart, caret - farthest), caret)
  const at = (
    kind: Completion['kind'],
    query: string,
    length: number,
    channelId?: number,
  ): Completion => ({
    kind,
    query,
    start: caret - length,
    end: caret,
    ...(channelId !== undefined && { channelId }),
  })

  if (lineStart === 0) {
    const command = /^\/(\w*)$/.exec(line)
    if (command) return at('command', command[1] ?? '', line.length)
  }
  const isCode = openFence(text.slice(0, lineStart)) !== undefined
  const language = /^\s*(`{3,}|~{3,})\s?([\w+#.-]+)$/.exec(line)
  if (language) {
    const [, marks = '', query = ''] = language
    if (isCode) return undefined
    const isClosed = text
      .slice(caret)
      .split('\n')
      .some((each) => each.trim() === marks)
    return { ...at('language', query, query.length), ...(!isClosed && { closing: marks }) }
  }
  if (isCode || isInlineCode(line)) return undefined

  const time = /<(t(?:i(?:m(?:e(?::[^<>\n]*)?)?)?)?)$/.exec(line)
  if (time) return at('time', (time[1] ?? '').replace(/^(?:time:?|tim|ti|t)/, ''), time[0].length)

  const topic = /(?:^|[^\w#])(#(?:\*\*)?([^*\n>]+)>([^*\n]*))$/.exec(line)
  if (topic) {
    const [, whole = '', name = '', query = ''] = topic
    const channel = findChannel(name, store)
    if (channel) return at('topic', query, whole.length, channel.id)
  }
  const channel = /(?:^|[^\w#])(#(?:\*{0,2})([^\s*#>][^*#\n>]*)?)$/.exec(line)
  if (channel) return at('channel', channel[2] ?? '', (channel[1] ?? '').length)

  const mention = /(?:^|[^A-Za-z0-9_\\@])(@(_?)(?:\*{0,2})([^\s*@_][^*@\n]*)?)$/u.exec(line)
  if (mention) {
    const [, whole = '', silent, query = ''] = mention
    return at(silent ? 'silent' : 'mention', query, whole.length)
  }
  const emoji = /(?:^|[^\p{L}\p{N}:]):([a-z+][a-z0-9_+-]+|\+)$/iu.exec(line)
  return emoji ? at('emoji', emoji[1] ?? '', (emoji[1] ?? '').length + 1) : undefined
}

/** The mark that opened a block of code which is still open at the end of a text. */
function openFence(text: string): string | undefined {
  let open: string | undefined
  for (const [, marks = '', info = ''] of text.matchAll(/^ {0,3}(`{3,}|~{3,})[ \t]*(.*)$/gm)) {
    if (open === undefined) {
      // Text inside of quotes and spoilers is text.
      if (!/^(quote|spoiler)\b/i.test(info.trim())) open = marks
    } else if (marks === open && info.trim() === '') open = undefined
  }
  return open
}

function isInlineCode(line: string): boolean {
  return (line.match(/`/g)?.length ?? 0) % 2 === 1
}

/** A channel by the name that is typed before `>`. */
function findChannel(name: string, { channels }: Store): Channel | undefined {
  const wanted = fold(name)
  for (const channel of channels.current.values()) if (fold(channel.name) === wanted) return channel
  return undefined
}
