import type { SourceOptions } from '#features/organization/imports/source.ts'
import type { Files } from './archives.ts'
import { campfireExport } from './campfire.ts'
import { discordExport } from './discord.ts'
import { mattermostExport } from './mattermost.ts'
import { rocketchatExport } from './rocketchat.ts'
import { slackExport } from './slack.ts'
import { type Documents, formOf, placesIn, valueAt } from './variations.ts'
import { zulipExport } from './zulip.ts'

/** The export of a system that has every construct, of which variations are made. */
export interface Example {
  readonly files: () => Files
  readonly options?: SourceOptions
  /** Whether the text of a message is at this place of a file. @param row what it is a member of */
  isText(path: string, place: string, row: Readonly<Record<string, unknown>>): boolean
}

/** By the names of sources. */
export const examples: Readonly<Record<string, Example>> = {
  campfire: {
    files: campfireExport,
    isText: (_, place) => /^action_text_rich_texts\.\d+\.body$/.test(place),
  },
  discord: {
    files: discordExport,
    isText: (_, place) => /^messages\.\d+\.content$/.test(place),
  },
  mattermost: {
    files: mattermostExport,
    options: { team: 'crew' },
    isText: (_, place) => /^\d+\.(direct_)?post\.(replies\.\d+\.)?message$/.test(place),
  },
  rocketchat: {
    files: rocketchatExport,
    isText: (path, place) => /message\.bson$/.test(path) && /^\d+\.msg$/.test(place),
  },
  slack: {
    // Nothing answers there.
    files: () => slackExport('http://127.0.0.1:9'),
    // Slack does not show a text beside blocks or a comment.
    isText: (path, place, { blocks, comment }) =>
      path.includes('/') &&
      !blocks &&
      !comment &&
      /^\d+\.text$|^\d+\.blocks\.0\.elements\.5\.elements\.0\.text$/.test(place),
  },
  zulip: {
    files: () => zulipExport(20),
    isText: (path, place) => /messages/.test(path) && /^zerver_message\.\d+\.content$/.test(place),
  },
}

/** The words that `documentsOf` adds. */
export const words = /qz\d+zq/g

/** The documents of an export, with a word of its own in the text of each message. */
export async function documentsOf({ files, isText }: Example): Promise<Documents> {
  const found: Record<string, unknown> = {}
  let n = 0
  for (const [path, body] of Object.entries(files())) {
    const document = await formOf(path)?.parse(body)
    if (document === undefined) continue
    found[path] = document
    for (const place of placesIn(document)) {
      const text = valueAt(document, place)
      if (typeof text !== 'string') continue
      const row = valueAt(document, place.slice(0, -1)) as Record<string, unknown>
      if (!isText(path, place.join('.'), row)) continue
      row[String(place.at(-1))] = `${text} qz${++n}zq`
    }
  }
  return found
}

/** What only a programmer understands. */
const inside =
  /Cannot read|undefined|NaN|\[object|not a function|not iterable|is not valid JSON\b.*position|SQLITE|constraint|Invalid user|\bID: \d|\.ts\b|Error:/i

/** Whether a text is a sentence for whoever imports, and not an error that nobody has thought of. */
export const isForPeople = (text: string) => /\.$/.test(text) && !inside.test(text)
