import { tellOfChannelName } from '#bots/events.ts'
import { badRequest } from '#errors.ts'
import type { Caller } from '#http/caller.ts'
import { channelColumn } from '#permissions/can.ts'
import { type ChannelPermission, permissionRules } from '#permissions/table.ts'
import {
  type GroupSettingUpdate,
  groupSettingValue,
  updateGroupSetting,
} from '#permissions/values.ts'
import { restartRetention } from '#retention/progress.ts'
import type { topicsPolicies } from '#store/schema.ts'
import type { Read, Tx } from '#store/write.ts'
import { accessChannel } from './access.ts'
import { tellDefaults } from './actions.ts'
import { unarchiveChannel } from './archiving.ts'
import { requireFolder, requirePossible, requireSpectators } from './creation.ts'
import { describe } from './description.ts'
import { channelPermissions } from './json.ts'
import { channelKey, requireChannelDescription, requireChannelName } from './names.ts'
import { tellOfEdits } from './notices.ts'
import { type Channel, findChannel, findChannelByName, updateChannel } from './queries.ts'
import { requireChanges, requireChannelAdmin } from './rules.ts'
import { hasNamedTopics } from './topics.ts'
import { watchChannel } from './witnesses.ts'

type GroupUpdates = Partial<Record<ChannelPermission, GroupSettingUpdate>>

/** What is to change of a channel; undefined stays as it is. */
export interface ChannelChanges {
  readonly name?: string | undefined
  /** Markdown. */
  readonly description?: string | undefined
  readonly isPrivate?: boolean | undefined
  readonly isWebPublic?: boolean | undefined
  readonly historyPublic?: boolean | undefined
  readonly isDefault?: boolean | undefined
  /** Only false is possible. */
  readonly isArchived?: boolean | undefined
  /** In days; null: the realm's setting; -1: for ever. */
  readonly retentionDays?: number | null | undefined
  /** Null: none. */
  readonly folderId?: number | null | undefined
  readonly topicsPolicy?: (typeof topicsPolicies)[number] | undefined
  readonly defaultPushNotifications?: boolean | undefined
  readonly groups?: GroupUpdates
}

/**
 * Changes settings of a channel. Those who may know of it before and after hear of each; for
 * others it appears or is gone. Notification Bot says in the channel what its readers should know.
 *
 * @throws BAD_REQUEST no such channel for the caller, no permission, or what no channel can be
 * @throws EXPECTATION_MISMATCH an `old` value that is not the present one
 * @throws UNAUTHORIZED_PRINCIPAL what only administrators of the organization change
 * @source contract, "Update a channel"; api-changes §3b
 */
export function editChannel(tx: Tx, caller: Caller, id: number, changes: ChannelChanges): void {
  const before = accessChannel(tx, caller, id)
  requireChannelAdmin(tx, caller.user, before)
  requireChanges(tx, caller.user, before, changes)
  if (changes.isArchived === true) throw badRequest('A channel is archived by deleting it.')
  const watched = watchChannel(tx, before)
  updateChannel(tx, id, changedColumns(tx, caller, before, changes))
  changeGroups(tx, before, changes.groups ?? {})
  const edited = findChannel(tx, id) ?? before
  requireSound(tx, caller, before, edited)
  watched.tell(edited)
  const after = changes.isArchived === false ? unarchiveChannel(tx, caller, edited) : edited
  if (after.isArchived && after.isDefault) throw badRequest('An archived channel is no default.')
  if (before.isDefault !== after.isDefault) tellDefaults(tx)
  if (before.retentionDays !== after.retentionDays) restartRetention(tx)
  if (before.name !== after.name) tellOfChannelName(tx, after)
  tellOfEdits(tx, caller, before, after)
}

function changedColumns(
  tx: Tx,
  caller: Caller,
  before: Channel,
  changes: ChannelChanges,
): Partial<Channel> & Pick<Channel, 'name'> {
  const name = changes.name === undefined ? before.name : requireChannelName(changes.name)
  const taken = findChannelByName(tx, name)
  if (taken && taken.id !== before.id) throw badRequest(`Channel '${name}' already exists`)
  return {
    name,
    nameKey: channelKey(name),
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
  { description }: ChannelChanges,
): Partial<Channel> {
  if (description === undefined) return {}
  const line = requireChannelDescription(description)
  if (line === before.description) return {}
  const { source, html } = describe(tx, user, line, server.realmUrl)
  return { description: source, renderedDescription: html }
}

/** A channel that changes between private and public gets the history that a new one would. */
function changedPrivacy(
  before: Channel,
  { isPrivate = before.isPrivate, ...changes }: ChannelChanges,
): Pick<Channel, 'isPrivate' | 'isWebPublic' | 'historyPublic'> {
  const stays = isPrivate === before.isPrivate
  return {
    isPrivate,
    isWebPublic: changes.isWebPublic ?? (before.isWebPublic && !isPrivate),
    historyPublic: changes.historyPublic ?? (stays ? before.historyPublic : !isPrivate),
  }
}

function changeGroups(tx: Tx, before: Channel, groups: GroupUpdates): void {
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

function requireSound(read: Read, caller: Caller, before: Channel, after: Channel): void {
  const topicCreators = groupSettingValue(read, after.canCreateTopicGroup)
  requirePossible(read, { ...after, topicCreators })
  if (after.isWebPublic && !before.isWebPublic) requireSpectators(read, caller)
  if (after.folderId !== before.folderId) requireFolder(read, after.folderId)
  const wasEmptyOnly = before.topicsPolicy === 'empty_topic_only'
  if (after.topicsPolicy === 'empty_topic_only' && !wasEmptyOnly && hasNamedTopics(read, after)) {
    throw badRequest('This channel has messages in named topics.')
  }
}
