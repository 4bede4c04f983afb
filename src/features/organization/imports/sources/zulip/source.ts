import type { Source } from '#features/organization/imports/source.ts'
import { channels, memberships } from './channels.ts'
import { readDirectory, readGroupConversations } from './directory.ts'
import { furtherItems, linkifiers, profileFields } from './further.ts'
import { folders, groups } from './groups.ts'
import { messages } from './messages.ts'
import { organization } from './organization.ts'
import { people } from './people.ts'
import { customEmoji, uploads } from './pictures.ts'
import { auditedSpans } from './spans.ts'
import { hasTable, realmFile } from './tables.ts'
import { requireKnownVersion, versionFile } from './version.ts'

/** Zulip's export of an organization: a folder of JSON files, usually in a gzipped tar archive. */
export const zulip: Source = {
  name: 'zulip',
  title: 'Zulip',
  options: ['activate'],
  statesMentions: true,
  detect: async (archive) =>
    archive.has(realmFile) &&
    (archive.has(versionFile) || (await hasTable(archive, 'zerver_realm'))),
  async *read(reading) {
    await requireKnownVersion(reading)
    const directory = await readDirectory(reading)
    yield organization(reading, directory)
    yield* people(reading, directory)
    yield* groups(directory)
    yield* folders(directory)
    yield* channels(directory)
    yield* customEmoji(reading, directory)
    yield* linkifiers(directory)
    yield* profileFields(directory)
    const audited = new Set<string>()
    const active = new Set<string>()
    yield* memberships(reading, directory, active)
    yield* auditedSpans(reading, audited)
    yield* uploads(reading)
    const conversations = await readGroupConversations(reading, directory)
    yield* messages(reading, directory, conversations, { audited, active })
    yield* furtherItems(reading, directory)
  },
}
