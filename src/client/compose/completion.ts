import type { Channel } from '#client/state/model.ts'
import type { Store } from '#client/state/store.ts'
import { fold } from '#client/ui/fuzzy.ts'
import { type Surroundings, surroundings } from './surroundings.ts'

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
  /** The part of the text that a candidate replaces: up to the caret, or to the end of a mention. */
  readonly start: number
  readonly end: number
  /** For a topic. */
  readonly channelId?: number
  /** For a language: the marks that end the block, if nothing ends it yet. */
  readonly closing?: string
}

/** Names are not longer than this, so nothing further back is considered. */
const farthest = 200

/** The completable text at the caret; undefined for plain text, inside code and in addresses. */
export function completionAt(text: string, caret: number, store: Store): Completion | undefined {
  const lineStart = text.lastIndexOf('\n', caret - 1) + 1
  const line = text
    .slice(Math.max(lineStart, caret - farthest), caret)
    // Input methods of Chinese and Japanese write wide signs.
    .replaceAll('＠', '@')
    .replaceAll('＃', '#')
  if (!/[/`~<#@:]/.test(line)) return undefined
  if (lineStart === 0) {
    const command = /^\/(\w*)$/.exec(line)
    if (command) {
      return { kind: 'command', query: command[1] ?? '', start: caret - line.length, end: caret }
    }
  }
  const around = surroundings({ text, start: caret, end: caret })
  if (around.place === 'fence') return languageAt(line, caret, around)
  const isText = around.isRich && around.place !== 'address'
  if (!isText && around.place !== 'token') return undefined
  const end = around.place === 'token' ? around.span?.outerTo : undefined
  const found = wordAt(line, caret, store)
  return found && end !== undefined ? { ...found, end } : found
}

function languageAt(
  line: string,
  caret: number,
  { fence, isClosed, isOpening }: Surroundings,
): Completion | undefined {
  if (!fence || !isOpening) return undefined
  const { marks } = fence
  const [, query] =
    /^\s?([\w+#.-]+)$/.exec(line.slice(line.lastIndexOf(marks) + marks.length)) ?? []
  if (query === undefined) return undefined
  const closing = { ...(!isClosed && { closing: marks }) }
  return { kind: 'language', query, start: caret - query.length, end: caret, ...closing }
}

function wordAt(line: string, caret: number, store: Store): Completion | undefined {
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

  // `x<t` and `List<time` are comparisons and types. Chinese and Japanese have no space before it.
  const time = /(?:^|[\s(]|[^ -~])(<time(?::([^<>\n]*))?)$/.exec(line)
  if (time) return at('time', time[2] ?? '', (time[1] ?? '').length)

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

/** A channel by the name that is typed before `>`. */
function findChannel(name: string, { channels }: Store): Channel | undefined {
  const wanted = fold(name)
  for (const channel of channels.current.values()) if (fold(channel.name) === wanted) return channel
  return undefined
}
