import {
  escaped,
  inlineCode,
  linkTo,
  type Pieces,
  withoutOwnSyntax,
} from '#features/organization/imports/reading/content.ts'
import { emojiCharacters } from '#features/organization/imports/reading/emoji-names.ts'
import { withoutEnd } from '#shared/without-end.ts'
import type { Directory } from './directory.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: one of these stands for what is done already
const control = /[\u0000-\u0008]/g
const sign = '\u0000'

const tokens =
  /```[\s\S]*?```|`([^`\n]+)`|!?\[([^[\]\n]{0,1000})\]\((https?:[^\s()]{1,2000})\)|https?:\/\/[^\s<>]+|\\[([]|(?<![\w@])@([\w.-]+)|(?<![\w#])#([\w.-]+)|:([a-z0-9_+-]+):/gi

/** The address of a quoted message, such as `https://host/channel/a?msg=ID`. */
const quoted =
  /^https?:\/\/[^\s?#]+\/(?:channel|group|direct)\/[^\s?#]+\?(?:[^\s#]*&)?msg=([\w-]{1,100})/

/** Converts Rocket.Chat's Markdown to ours. */
export function markdownOf(source: string, directory: Directory): Pieces {
  const found: Pieces[] = []
  const keep = (pieces: Pieces) => `${sign}${found.push(pieces) - 1}${sign}`
  const text = source
    .replace(control, '')
    .replace(
      tokens,
      (
        whole: string,
        code?: string,
        label?: string,
        url?: string,
        person?: string,
        room?: string,
        emoji?: string,
      ) => {
        if (code !== undefined) return keep([inlineCode(code)])
        if (url !== undefined) return keep([linked(url, label?.trim() ?? '')])
        if (person !== undefined) return mention(person, directory, keep) ?? whole
        if (room !== undefined) return channel(room, directory, keep) ?? whole
        if (emoji !== undefined) {
          const characters = directory.emoji.has(emoji) ? undefined : emojiCharacters(emoji)
          return characters === undefined ? whole : keep([characters])
        }
        if (whole.startsWith('\\')) return whole
        if (whole.startsWith('```')) return keep([whole])
        return keep([linked(whole, '')])
      },
    )
  return styled(text)
    .split(sign)
    .flatMap((piece, i): Pieces => (i % 2 === 0 ? [piece] : (found[Number(piece)] ?? [])))
}

function linked(url: string, label: string): Pieces[number] {
  const message = quoted.exec(url)?.[1]
  if (message === undefined) return linkTo(url, label)
  return { message, text: label || 'In reply to a message', url }
}

/** A user name may end with a dot, and so may a sentence. */
function mention(
  written: string,
  directory: Directory,
  keep: (pieces: Pieces) => string,
): string | undefined {
  const name = directory.named(written) === undefined ? withoutEnd(written, '.-') : written
  const rest = written.slice(name.length)
  if (/^(all|here)$/i.test(name)) return keep([{ everyone: true }]) + rest
  const person = directory.named(name)
  return person === undefined ? undefined : keep([{ person, text: `@${name}` }]) + rest
}

function channel(
  written: string,
  { homeOf, rooms }: Directory,
  keep: (pieces: Pieces) => string,
): string | undefined {
  const name = withoutEnd(written, '.-')
  const rest = written.slice(name.length)
  for (const row of rooms.values()) {
    if (row.t === 'd' || row.name !== name) continue
    const text = `#${row.fname || name}`
    const home = homeOf(row)
    if (home === row) return keep([{ channel: row._id, text }]) + rest
    // A discussion, whose name is an ID, is a topic; one of direct messages has no place of its own.
    return keep([home.t === 'd' ? escaped(text) : { thread: row._id, text }]) + rest
  }
  return undefined
}

function styled(text: string): string {
  return withoutOwnSyntax(text)
    .replace(/(?<![\w*])\*(?=[^\s*])([^*\n]{0,2000}[^\s*])\*(?![\w*])/g, '**$1**')
    .replace(/(?<![\w_])__(?=\S)([^_\n]{0,2000}[^_\s])__(?![\w_])/g, '*$1*')
    .replace(/(?<![\w_])_(?=\S)([^_\n]{0,2000}[^_\s])_(?![\w_])/g, '*$1*')
    .replace(/(?<![\w~])~(?=[^\s~])([^~\n]{0,2000}[^\s~])~(?![\w~])/g, '~~$1~~')
}
