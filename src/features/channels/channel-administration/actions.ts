import { emitBotChannelName } from '#features/foundation/bots/events.ts'
import { accessChannel } from '#features/foundation/channels/access.ts'
import { emitDefaultChannels } from '#features/foundation/channels/actions.ts'
import type { ChannelChanges } from '#features/foundation/channels/changes.ts'
import {
  requireConsistentSettings,
  requireFolder,
  requireSpectators,
} from '#features/foundation/channels/creation.rules.ts'
import { channelPermissions } from '#features/foundation/channels/json.ts'
import {
  requireChannelDescription,
  requireChannelName,
} from '#features/foundation/channels/names.ts'
import {
  type Channel,
  findChannel,
  findChannelByName,
  updateChannel,
} from '#features/foundation/channels/queries.ts'
import { requireChanges, requireChannelAdmin } from '#features/foundation/channels/rules.ts'
import { trackChannel } from '#features/foundation/channels/visibility.actions.ts'
import { hasNamedTopics } from '#features/foundation/core/topics.queries.ts'
import { updateGroupSetting } from '#features/foundation/groups/setting-values.actions.ts'
import { groupSettingValue } from '#features/foundation/groups/setting-values.queries.ts'
import { channelColumn } from '#features/foundation/permissions/rules.ts'
import { permissionRules } from '#features/foundation/permissions/table.ts'
import { noteRetentionChange } from '#features/foundation/realm/retention-changes.queries.ts'
import { describe } from '#features/messaging/messages/descriptions.queries.ts'
import { trackStars } from '#features/messaging/messages/flags/stars.actions.ts'
import { badRequest, checking } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { nameKey } from '#shared/names.ts'
import { sentSentence } from '#translations/translate.ts'
import { unarchiveChannel } from './archiving.actions.ts'
import { postEditNotices } from './notices.actions.ts'

/**
 * Changes a channel. Emits each change to the users who could and still can see the channel, and
 * `stream`/`create` or `stream`/`delete` to users who can now or can no longer see it. Notification
 * Bot posts in the channel about changes that matter to its readers.
 *
 * @throws BAD_REQUEST the caller cannot see the channel, no permission, or inconsistent settings
 * @throws EXPECTATION_MISMATCH an `old` value that is not the current one
 * @throws UNAUTHORIZED_PRINCIPAL a change that only organization administrators may make
 * @source Zulip API, "Update a channel"
 */
export function editChannel(
  tx: Tx,
  caller: Caller,
  id: number,
  changes: Partial<ChannelChanges>,
): void {
  const before = accessChannel(tx, caller, id)
  requireChannelAdmin(tx, caller.user, before)
  requireChanges(tx, caller.user, before, changes)
  if (changes.isArchived === true)
    throw badRequest(sentSentence('Use DELETE to archive a channel.'), { parameter: 'is_archived' })
  const visibility = trackChannel(tx, before)
  const stars = trackStars(tx, tx.liveUsers, [before])
  updateChannel(tx, id, changedColumns(tx, caller, before, changes))
  changeGroups(tx, before, changes.groups ?? {})
  const edited = findChannel(tx, id) ?? before
  requireValid(tx, before, edited)
  visibility.emitChanges(edited)
  stars.emitChanges()
  const after = changes.isArchived === false ? unarchiveChannel(tx, caller, edited) : edited
  if (after.isArchived && after.isDefault)
    throw badRequest(sentSentence('An archived channel cannot be a default channel.'), {
      parameter: 'is_default_stream',
    })
  if (before.isDefault !== after.isDefault) emitDefaultChannels(tx)
  if (before.retentionDays !== after.retentionDays) noteRetentionChange(tx)
  if (before.name !== after.name) emitBotChannelName(tx, after)
  postEditNotices(tx, caller, before, after)
}

/** What is not simply a column of the same name. */
type MadeApart = 'description' | 'groups' | 'isArchived'

function changedColumns(
  tx: Tx,
  caller: Caller,
  before: Channel,
  changes: Partial<ChannelChanges>,
): Partial<Channel> & Pick<Channel, Exclude<keyof ChannelChanges, MadeApart>> {
  const isRenamed = changes.name !== undefined && changes.name !== before.name
  const name = isRenamed
    ? checking('new_name', () => requireChannelName(changes.name ?? ''))
    : before.name
  const taken = findChannelByName(tx, name)
  if (taken && taken.id !== before.id)
    throw badRequest(sentSentence("Channel '{name}' already exists", { name }), {
      parameter: 'new_name',
    })
  return {
    name,
    nameKey: isRenamed ? nameKey(name) : before.nameKey,
    ...changedDescription(tx, caller, before, changes),
    ...changedPrivacy(before, changes),
    isDefault: changes.isDefault ?? before.isDefault,
    retentionDays:
      changes.retentionDays === undefined ? before.retentionDays : changes.retentionDays,
    folderId: changes.folderId === undefined ? before.folderId : changes.folderId,
    topicsPolicy: changes.topicsPolicy ?? before.topicsPolicy,
    defaultPushNotifications: changes.defaultPushNotifications ?? before.defaultPushNotifications,
  }
}

function changedDescription(
  tx: Tx,
  { user, server }: Caller,
  before: Channel,
  { description }: Partial<ChannelChanges>,
): Partial<Channel> {
  if (description === undefined) return {}
  const line = requireChannelDescription(description)
  if (line === before.description) return {}
  const { source, html } = describe(tx, user, line, server.realmUrl)
  return { description: source, renderedDescription: html }
}

/** A channel that changes between private and public gets the default history access. */
function changedPrivacy(
  before: Channel,
  { isPrivate = before.isPrivate, ...changes }: Partial<ChannelChanges>,
): Pick<Channel, 'isPrivate' | 'isWebPublic' | 'historyPublic'> {
  const isUnchanged = isPrivate === before.isPrivate
  return {
    isPrivate,
    isWebPublic: changes.isWebPublic ?? (before.isWebPublic && !isPrivate),
    historyPublic: changes.historyPublic ?? (isUnchanged ? before.historyPublic : !isPrivate),
  }
}

function changeGroups(tx: Tx, before: Channel, groups: ChannelChanges['groups']): void {
  for (const setting of channelPermissions) {
    const update = groups[setting]
    if (update === undefined) continue
    const column = channelColumn(setting)
    updateGroupSetting(tx, {
      setting,
      rule: permissionRules.stream[setting],
      current: before[column],
      update,
      save: (groupId) => void updateChannel(tx, before.id, { [column]: groupId }),
    })
  }
}

function requireValid(read: Read, before: Channel, after: Channel): void {
  const topicCreators = groupSettingValue(read, after.canCreateTopicGroup)
  requireConsistentSettings(read, { ...after, topicCreators })
  if (after.isWebPublic && !before.isWebPublic) requireSpectators(read)
  if (after.folderId !== before.folderId) requireFolder(read, after.folderId)
  const wasEmptyOnly = before.topicsPolicy === 'empty_topic_only'
  if (after.topicsPolicy === 'empty_topic_only' && !wasEmptyOnly && hasNamedTopics(read, after)) {
    throw badRequest(sentSentence('This channel has messages in named topics.'), {
      parameter: 'topics_policy',
    })
  }
}
