import { type Pieces, withoutOwnSyntax } from '#features/organization/imports/reading/content.ts'
import { emojiCharacters } from '#features/organization/imports/reading/emoji-names.ts'
import type { Directory } from './directory.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: one of these stands for what is done already
const control = /[\u0000-\u0008]/g
const sign = '\u0000'

const tokens =
  /```[\s\S]*?```|(`+)[^`\n]+?\1|https?:\/\/[^\s<>]+|\\[^\w\s]|(?<![\w@])@([a-z0-9][a-z0-9._-]*)|(?<![\w~])~([a-z0-9][a-z0-9_-]*)|:([a-z0-9_+-]+):/gi

/**
 * Converts Mattermost's Markdown to ours: much is the same.
 *
 * @source Mattermost, "Format messages"
 */
export function markdownOf(source: string, directory: Directory): Pieces {
  const found: Pieces[] = []
  const keep = (pieces: Pieces) => `${sign}${found.push(pieces) - 1}${sign}`
  const text = source
    .replace(control, '')
    .replace(tokens, (whole: string, _, name?: string, channel?: string, emoji?: string) => {
      if (name !== undefined) return mention(name, directory, keep) ?? whole
      if (channel !== undefined) {
        const known = directory.channels.get(channel.toLowerCase())
        return known ? keep([{ channel: known.name, text: whole }]) : whole
      }
      if (emoji !== undefined) {
        const characters = directory.emoji.has(emoji) ? undefined : emojiCharacters(emoji)
        return characters === undefined ? whole : keep([characters])
      }
      if (whole.startsWith('\\')) return keep([`&#${whole.charCodeAt(1)};`])
      return keep([whole])
    })
  return styled(text)
    .split(sign)
    .flatMap((piece, i): Pieces => (i % 2 === 0 ? [piece] : (found[Number(piece)] ?? [])))
}

/** A user name may end with a dot, and so may a sentence. */
function mention(
  written: string,
  directory: Directory,
  keep: (pieces: Pieces) => string,
): string | undefined {
  for (let name = written.toLowerCase(); name !== ''; name = name.replace(/[._-]$/, '')) {
    const rest = written.slice(name.length)
    if (/^(all|channel|here)$/.test(name)) return keep([{ everyone: true }]) + rest
    const key = directory.keyOf(name)
    if (directory.users.has(key) || directory.bots.has(key)) {
      return keep([{ person: key, text: `@${name}` }]) + rest
    }
    if (!/[._-]$/.test(name)) return undefined
  }
  return undefined
}

/** A picture with its size, such as `![x](https://… =100x100)`, whose address is kept apart already. */
const sized = /!?\[([^[\]\n]*)\]\(([^\s[]{1,2000}) +=\d{0,5}(?:x\d{0,5})?(?: +"[^"\n]*")?\)/g

function styled(text: string): string {
  return withoutOwnSyntax(text)
    .replace(sized, '[$1]($2)')
    .replaceAll('![', '[')
    .replace(/(?<![\w_])__(?=\S)([^_\n]*[^_\s])__(?![\w_])/g, '**$1**')
    .replace(/(?<![\w_])_(?=\S)([^_\n]*[^_\s])_(?![\w_])/g, '*$1*')
}
