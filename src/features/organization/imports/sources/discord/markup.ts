import {
  linkTo,
  type Pieces,
  prefixed,
  withoutOwnSyntax,
} from '#features/organization/imports/reading/content.ts'
import type { Directory } from './directory.ts'
import type { PersonRow } from './rows.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: one of these stands for what is done already
const control = /[\u0000-\u0008]/g
const sign = '\u0000'

const tokens =
  /```[\s\S]*?```|(`+)[^`\n]+?\1|\\[^\w\s]|<@!?(\d+)>|<@&(\d+)>|<#(\d+)>|<a?:(\w+):\d+>|<t:(-?\d+)(?::\w)?>|<\/([^:<>\n]{1,150}):\d+>|<id:([a-z-]{1,30})>|<(https?:\/\/[^\s<>]+)>|https?:\/\/(?:\w+\.)?discord(?:app)?\.com\/channels\/(?:\d+|@me)\/\d+\/(\d+)|@(everyone|here)\b/g

/** Pages of a server, which are mentioned as channels are. */
const pages = new Map([
  ['browse', 'Browse Channels'],
  ['customize', 'Channels & Roles'],
  ['guide', 'Server Guide'],
])

/**
 * Converts Discord's Markdown to ours: much is the same.
 *
 * @param mentions the mentioned people, for exports in which mentions are names
 * @source Discord, "Message formatting"; "Markdown text 101"
 */
export function markdownOf(
  source: string,
  directory: Directory,
  mentions: readonly PersonRow[] = [],
): Pieces {
  const found: Pieces[] = []
  const keep = (pieces: Pieces) => `${sign}${found.push(pieces) - 1}${sign}`
  let text = source
    .replace(control, '')
    .replace(
      tokens,
      (whole: string, _, user, role, channel, emoji, time, command, page, url, message, all) => {
        if (user !== undefined) return keep([{ person: user, text: `@${nameOf(directory, user)}` }])
        if (role !== undefined) {
          return keep([{ group: role, text: `@${directory.roles.get(role)?.name ?? 'group'}` }])
        }
        if (channel !== undefined) {
          const name = directory.channels.get(channel)?.row.name ?? channel
          return keep([{ channel, text: `#${name}` }])
        }
        if (emoji !== undefined) return `:${emoji}:`
        if (time !== undefined) return keep([momentOf(Number(time))])
        if (command !== undefined) return `/${command}`
        if (page !== undefined) return `#${pages.get(page) ?? page}`
        if (url !== undefined) return keep([linkTo(url)])
        if (message !== undefined) return keep([{ message, text: whole, url: whole }])
        if (all !== undefined) return keep([{ everyone: true }])
        if (whole.startsWith('\\')) return keep([`&#${whole.charCodeAt(1)};`])
        return keep([whole.startsWith('```') ? `\n${whole}\n` : whole])
      },
    )
  for (const { id, name, nickname } of mentions) {
    for (const each of new Set([nickname, name])) {
      if (each !== '') text = text.split(`@${each}`).join(keep([{ person: id, text: `@${each}` }]))
    }
  }
  return styled(text)
    .split(sign)
    .flatMap((piece, i): Pieces => (i % 2 === 0 ? [piece] : (found[Number(piece)] ?? [])))
}

/** Syntax that differs here, or only has a meaning here. */
function styled(text: string): string {
  const marked = withoutOwnSyntax(text)
    .replace(/(?<!_)__(?=\S)([^_\n]*[^_\s])__(?!_)/g, '***$1***')
    .replace(/(?<![\w_])_(?=\S)([^_\n]*[^_\s])_(?![\w_])/g, '*$1*')
  // The lines before the first that hides something stay as they are.
  const line = marked.lastIndexOf('\n', marked.indexOf('||')) + 1
  return (marked.includes('||') ? marked.slice(0, line) + hidden(marked.slice(line)) : marked)
    .replace(/^-# /gm, '')
    .replace(/^>>> ([\s\S]*)$/m, (_, rest: string) => prefixed([rest], '> ').join(''))
}

const spoiler = /\|\|((?:[^|]|\|(?!\|)){1,4000})\|\|/

/** What is hidden goes to a block below its line: here only blocks can be hidden. */
function hidden(text: string): string {
  const [before = '', inside, ...rest] = text.split(spoiler)
  if (inside === undefined) return text
  // The parts that are hidden, and those around them, in turn.
  let open = before
  const blocks: string[] = []
  const lines: string[] = []
  const end = () => {
    if (open.trim() !== '') lines.push(open)
    lines.push(...blocks.splice(0).map((each) => `\`\`\`spoiler\n${each.trim()}\n\`\`\``))
    open = ''
  }
  for (const [i, each] of [inside, ...rest].entries()) {
    if (i % 2 === 0) {
      blocks.push(each)
      continue
    }
    const [first = '', ...further] = each.split('\n')
    const isAlone = open.trim() === '' && first.trim() === ''
    open += isAlone ? '' : `(spoiler)${first}`
    if (further.length === 0) continue
    end()
    open = further.join('\n')
  }
  end()
  return lines.join('\n')
}

function momentOf(seconds: number): string {
  const isTime = Math.abs(seconds) < 253_402_300_800
  return isTime ? `<time:${new Date(seconds * 1000).toISOString()}>` : String(seconds)
}

export function nameOf({ people }: Directory, id: string): string {
  const row = people.get(id)
  return row?.nickname || row?.name || `Discord ${id}`
}
