import { topicName } from '#client/state/names.ts'
import type { Store } from '#client/state/store.ts'
import { momentText } from '#client/ui/dates.ts'
import { readFences } from './fences.ts'
import { spansIn } from './inline-spans.ts'

/** A mention, a link to a place, or a time in a text, and how it will be read. */
export interface Token {
  readonly from: number
  readonly to: number
  readonly label: string
}

/** In longer texts none are looked for, with every key. */
const longest = 20_000

/** The tokens of a text that lead somewhere; what is code, or names nothing, is none. */
export function tokensIn(text: string, store: Store): readonly Token[] {
  if (text.length > longest) return []
  const tokens: Token[] = []
  for (const [from, part] of paragraphsOf(text)) {
    for (const span of spansIn(part)) {
      if (span.place !== 'token') continue
      const label = labelOf(part.slice(span.outerFrom, span.outerTo), store)
      if (label !== undefined) {
        tokens.push({ from: from + span.outerFrom, to: from + span.outerTo, label })
      }
    }
  }
  return tokens
}

/** The paragraphs that are no code, with their offsets. */
function paragraphsOf(text: string): [from: number, text: string][] {
  const lines = text.split('\n')
  const fences = readFences(lines)
  const found: [number, string][] = []
  let isNew = true
  let at = 0
  for (const [row, line] of lines.entries()) {
    const fence = fences[row]
    const isText =
      line.trim() !== '' && !fence?.isCode && !fence?.opens && !/^(?: {4}|\t)/.test(line)
    const last = found.at(-1)
    if (isText && last && !isNew) last[1] += `\n${line}`
    else if (isText) found.push([at, line])
    isNew = !isText
    at += line.length + 1
  }
  return found
}

const wildcards = ['all', 'everyone', 'channel', 'stream', 'topic']

function labelOf(source: string, store: Store): string | undefined {
  const [, silent, person] = /^@(_?)\*\*(.+)\*\*$/.exec(source) ?? []
  const mention = (name: string) => (silent ? name : `@${name}`)
  if (person !== undefined) {
    const name = wildcards.includes(person) ? person : nameOf(person, store)
    return name === undefined ? undefined : mention(name)
  }
  const [, isSilent, group] = /^@(_?)\*([^*]+)\*$/.exec(source) ?? []
  if (group !== undefined) {
    const isIt = [...store.groups.current.values()].some(
      ({ name, isDeactivated }) => name === group && !isDeactivated,
    )
    if (!isIt) return undefined
    return isSilent ? group : `@${group}`
  }
  const [, channelName = '', topic, messageId] =
    /^#\*\*([^>]+)(?:>(.*?)(?:@(\d+))?)?\*\*$/.exec(source) ?? []
  if (channelName !== '') {
    const isIt = [...store.channels.current.values()].some(({ name }) => name === channelName)
    if (!isIt) return undefined
    const place = topic === undefined ? '' : ` › ${topicName(topic, store)}`
    return `#${channelName}${place}${messageId === undefined ? '' : ' @ 💬'}`
  }
  const [, time] = /^<time:(.+)>$/.exec(source) ?? []
  const at = time === undefined ? Number.NaN : Date.parse(time)
  return Number.isNaN(at) ? undefined : momentText(at / 1000, store.settings.value)
}

/** The name of the person who is written as `name` or `name|id`. */
function nameOf(written: string, store: Store): string | undefined {
  const [, id] = /\|(\d+)$/.exec(written) ?? []
  const user =
    id === undefined
      ? [...store.users.current.values()].find(({ name, isActive }) => isActive && name === written)
      : store.users.get(Number(id))
  return user?.name
}
