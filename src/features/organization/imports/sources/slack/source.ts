import { downloaded } from '#features/organization/imports/reading/downloads.ts'
import { emojiNamed } from '#features/organization/imports/reading/emoji-names.ts'
import type { Reading, Source } from '#features/organization/imports/source.ts'
import type {
  EmojiItem,
  EmojiRef,
  Item,
  OrganizationItem,
} from '#features/organization/imports/stream.ts'
import { badRequest } from '#platform/errors.ts'
import { sentence } from '#translations/translate.ts'
import { learn, type WorkspaceData } from './api.ts'
import { archived, dayFile } from './archived.ts'
import { channelFiles, channels, type Spot } from './channels.ts'
import { messages } from './messages.ts'
import { readPeople } from './people.ts'

const nothing: WorkspaceData = { addresses: new Map(), emoji: new Map() }
/** The people of an export of several workspaces. */
const gridFile = 'org_users.json'

/**
 * Slack's export of a workspace: a zip archive of JSON files, one for each channel and day.
 *
 * @param origin where Slack's Web API is
 */
export function createSlack(origin = 'https://slack.com'): Source {
  return {
    name: 'slack',
    title: 'Slack',
    options: ['token', 'noThreads', 'cache'],
    detect: ({ has }) =>
      has(gridFile) || (has('users.json') && channelFiles.some((path) => has(path))),
    missing({ has, paths }) {
      if (has(gridFile) || !paths.some((path) => dayFile.test(path))) return undefined
      if (channelFiles.some((path) => has(path)))
        return has('users.json') ? undefined : 'users.json'
      return has('users.json') ? channelFiles[0] : undefined
    },
    async *read(reading) {
      const { archive, options } = reading
      if (archive.has(gridFile)) {
        throw badRequest(
          sentence(
            'This is an export of a whole Enterprise Grid organization. Export one workspace, or move the channels to keep into one, and import that.',
          ),
        )
      }
      const { token } = options
      const learned = token ? await learn({ origin, reading, token }) : nothing
      const added = archived(reading)
      yield organization(reading, learned)
      const { items, people } = await readPeople(reading, learned, added, origin)
      yield* items
      const spots = new Map<string, Spot>()
      yield* channels(reading, people, spots)
      yield* customEmoji(reading, learned)
      yield* messages({
        reading,
        people,
        archived: added,
        spots,
        origin,
        emojiOf: (name) => emojiOf(learned, name),
      })
      added.noteUnused()
    },
  }
}

export const slack = createSlack()

function organization(reading: Reading, { team }: WorkspaceData): OrganizationItem {
  const { icon, name } = team ?? {}
  return {
    type: 'organization',
    name,
    ...(icon !== undefined && {
      pictures: { icon: downloaded(reading, { url: icon, key: `slack icon ${icon}` }) },
    }),
  }
}

/** How many aliases may follow each other. */
const mostAliases = 10

/** The emoji with a name: aliases are followed to custom or standard emoji. */
function emojiOf({ emoji }: WorkspaceData, name: string): EmojiRef {
  let found = name
  for (let n = 0; n < mostAliases; n++) {
    const url = emoji.get(found)
    if (url === undefined) break
    if (!url.startsWith('alias:')) return { custom: found }
    found = url.slice('alias:'.length)
  }
  return emojiNamed(found)
}

function* customEmoji(reading: Reading, { emoji }: WorkspaceData): Generator<Item> {
  for (const [name, url] of emoji) {
    if (url.startsWith('alias:')) continue
    const item: EmojiItem = {
      type: 'emoji',
      key: name,
      name,
      picture: downloaded(reading, { url, key: `slack emoji ${url}` }),
    }
    yield item
  }
}
