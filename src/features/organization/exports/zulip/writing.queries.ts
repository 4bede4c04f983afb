import { setImmediate } from 'node:timers/promises'
import { newestMessageId } from '#features/foundation/core/queries.ts'
import type { HistorySource } from '#features/organization/exports/history/source.ts'
import { spooled, textEntry } from '#features/organization/exports/history/spool.ts'
import type { TarEntry } from '#features/organization/exports/tar.ts'
import { seconds } from '#platform/clock.ts'
import { day } from '#platform/quotas/quota.ts'
import { avatars, emojiFiles, type FileRecord, iconFiles, uploads } from './files.queries.ts'
import { flagRows } from './flags.queries.ts'
import { requiredTables } from './format.ts'
import * as groups from './groups.queries.ts'
import { messageRows, messagesInFile, nextMessages } from './messages.queries.ts'
import * as organization from './organization.queries.ts'
import * as own from './own-things.queries.ts'
import * as people from './people.queries.ts'
import { type Plan, targetOf } from './plan.queries.ts'
import * as tables from './tables.queries.ts'

/** With lean flags, rows that only say that a message was read are left out if it is older. */
const leanDays = 28

/**
 * The files of an export for `manage.py import` of Zulip, in the order of the archive.
 *
 * @param leanFlags whether rows that only say that someone has read an older message of a public
 *   channel are left out: such messages leave their combined feed
 * @source Zulip's documentation, "Import and export"; the models of its releases
 */
export async function* zulipFiles(
  plan: Plan,
  source: HistorySource,
  leanFlags: boolean,
): AsyncGenerator<TarEntry> {
  const { folder, report, signal } = source
  let newest: number | undefined
  yield textEntry(
    'migration_status.json',
    `${JSON.stringify({ migrations_by_app: {}, zulip_version: `${plan.release}.0` })}\n`,
  )
  yield* messageFiles()
  const records = {
    uploads: [] as FileRecord[],
    avatars: [...avatars(plan)],
    emoji: [...emojiFiles(plan)],
    realm_icons: [...iconFiles(plan)],
  }
  yield await spooled(
    folder,
    'attachment.json',
    'attachment.json',
    listOf('zerver_attachment', attachments()),
    signal,
  )
  own.countLosses(plan)
  plan.notes.count('idle', plan.idle.size)
  // They come after the clients, to which they may add.
  const scheduled = [...own.scheduledMessages(plan)]
  yield await spooled(folder, 'realm.json', 'realm.json', realm(), signal)
  yield textEntry('analytics.json', analytics)
  for (const [part, list] of Object.entries(records)) yield* filesOf(plan, source, part, list)

  async function* messageFiles(): AsyncGenerator<TarEntry> {
    const before = seconds(plan.read.clock) - leanDays * day
    const rowsOf = flagRows(plan, leanFlags ? before : undefined)
    const total = newestMessageId(plan.read)
    let number = 0
    for (let after = 0; ; ) {
      const { last, messages } = nextMessages(plan, after, messagesInFile)
      if (last === undefined) return
      after = last
      const exported = messages.filter((message) => targetOf(plan, message))
      if (exported.length > 0) {
        newest = exported.at(-1)?.id
        number += 1
        const name = `messages-${String(number).padStart(6, '0')}.json`
        yield await spooled(
          folder,
          'messages.json',
          name,
          objectOf([
            ['zerver_message', messageRows(plan, exported)],
            ['zerver_usermessage', rowsOf(exported)],
          ]),
          signal,
        )
      }
      report('Writing messages', Math.min(after, total), total, false, 'messages')
      await setImmediate()
    }
  }

  function* attachments(): Generator<tables.Row> {
    for (const { file, row } of uploads(plan)) {
      records.uploads.push(file)
      yield row
    }
  }

  function* realm(): Generator<string> {
    yield* objectOf(
      Object.entries(realmTables(plan, scheduled, newest)).map(
        ([name, rows]) => [name, rows(plan)] as const,
      ),
      '"import_source":"zulip",',
    )
  }
}

/** The files of a kind, and the list of them. */
async function* filesOf(
  plan: Plan,
  { files, report, signal }: HistorySource,
  part: string,
  list: readonly FileRecord[],
): AsyncGenerator<TarEntry> {
  const present: FileRecord[] = []
  for (const each of list) {
    signal.throwIfAborted()
    const size = await files.size(each.hash)
    if (size === undefined) {
      plan.notes.lost('file', each.record.path)
      continue
    }
    report('Writing files', present.length, list.length)
    yield { path: `${part}/${each.record.path}`, size, contents: files.stream(each.hash) }
    present.push({ ...each, record: { ...each.record, size } })
  }
  const sorted = present.map(({ record }) => record)
  yield textEntry(`${part}/records.json`, `${JSON.stringify(sorted, null, 1)}\n`)
}

/** Data for which there are no figures. */
const analytics = `${JSON.stringify({
  analytics_realmcount: [],
  analytics_usercount: [],
  analytics_streamcount: [],
})}\n`

const none: tables.Rows = () => []

/** The lists of `realm.json`, in their order. */
function realmTables(
  { release }: Plan,
  scheduled: readonly tables.Row[],
  newest: number | undefined,
): Readonly<Record<string, tables.Rows>> {
  return {
    ...Object.fromEntries(requiredTables.map((name) => [name, none])),
    zerver_realm: organization.realm,
    zerver_client: organization.clients,
    zerver_userprofile: (plan) => people.users(plan, newest),
    zerver_userprofile_crossrealm: people.systemBots,
    zerver_realmuserdefault: organization.userDefaults,
    zerver_usergroup: groups.allGroups,
    zerver_namedusergroup: groups.namedGroups,
    zerver_usergroupmembership: groups.groupMembers,
    zerver_groupgroupmembership: groups.subgroups,
    zerver_channelfolder: tables.channelFolderRows,
    zerver_stream: tables.channels,
    zerver_defaultstream: tables.defaultChannels,
    zerver_huddle: tables.huddles,
    zerver_recipient: tables.recipients,
    zerver_subscription: tables.subscriptions,
    zerver_realmemoji: organization.emoji,
    zerver_realmdomain: organization.domains,
    zerver_realmfilter: organization.linkifiers,
    zerver_realmplayground: organization.playgrounds,
    zerver_realmauthenticationmethod: organization.logInMethods,
    zerver_customprofilefield: organization.profileFields,
    zerver_customprofilefieldvalue: organization.profileValues,
    zerver_service: people.botServices,
    zerver_botconfigdata: people.botConfig,
    zerver_botstoragedata: people.botStorage,
    zerver_usertopic: own.userTopics,
    zerver_muteduser: own.mutedUsers,
    zerver_alertword: own.alertWords,
    zerver_userpresence: own.presences,
    zerver_presencesequence: own.presenceSequence,
    zerver_userstatus: own.statuses,
    zerver_savedsnippet: own.snippets,
    zerver_navigationview: own.navigationViews,
    zerver_scheduledmessage: () => scheduled,
    zerver_reaction: tables.reactions,
    ...(release >= 12 && { zerver_submessage: tables.submessages }),
  }
}

/** The text of an object of lists, row by row; undefined ones are nothing. */
function* objectOf(
  lists: Iterable<readonly [string, Iterable<tables.Row | undefined>]>,
  first = '',
): Generator<string> {
  yield `{${first}`
  let isFirst = true
  for (const [name, rows] of lists) {
    yield `${isFirst ? '' : ','}\n${JSON.stringify(name)}: [`
    isFirst = false
    let before = '\n'
    for (const row of rows) {
      if (!row) {
        yield ''
        continue
      }
      yield `${before}${JSON.stringify(row)}`
      before = ',\n'
    }
    yield ']'
  }
  yield '\n}\n'
}

const listOf = (name: string, rows: Iterable<tables.Row>) => objectOf([[name, rows]])
