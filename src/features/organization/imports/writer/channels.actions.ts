import { freeColor, isColor } from '#features/channels/subscriptions/colors.ts'
import { createChannel } from '#features/foundation/channels/actions.ts'
import { insertFolder } from '#features/foundation/channels/folders.queries.ts'
import { findChannel, updateChannel } from '#features/foundation/channels/queries.ts'
import { channelColumn } from '#features/foundation/permissions/rules.ts'
import { type ChannelPermission, permissionRules } from '#features/foundation/permissions/table.ts'
import { limits } from '#features/foundation/realm/limits.ts'
import { findUser } from '#features/foundation/users/queries.ts'
import type {
  ChannelItem,
  Content,
  FolderItem,
  MembershipItem,
  SpanItem,
} from '#features/organization/imports/stream.ts'
import { fixedClock } from '#platform/clock.ts'
import { subscriptions } from '#platform/store/schema.ts'
import { mendedName } from '#shared/names.ts'
import { bulkInsert } from './bulk.queries.ts'
import { groupOf } from './groups.actions.ts'
import type { UniqueNames } from './names.ts'
import { personOf } from './people.actions.ts'
import { referents, renderFor } from './rendering.actions.ts'
import { spoolReadUpTo, spoolSpan } from './spool.queries.ts'
import { partsOf, resolveContent } from './texts.ts'
import { now, timeOf, type Work } from './work.actions.ts'

export function writeFolder(work: Work, item: FolderItem, names: UniqueNames): void {
  const { folders, notes, people, tx } = work
  if (folders.has(item.key)) {
    notes.skipped('channel folders', 'duplicate', item.key)
    return
  }
  const description = mendedName(item.description ?? '', limits.channelFolderDescriptionLength)
  const folder = insertFolder(tx, {
    ...(item.id !== undefined && { id: item.id }),
    name: names.take(item.name, `folder ${item.key}`),
    description,
    renderedDescription: '',
    dateCreated: timeOf(item.created) ?? now(work),
    creatorId: people.get(item.creator ?? '') ?? null,
    isArchived: item.isArchived ?? false,
  })
  folders.set(item.key, folder.id)
  notes.imported('channel folders')
}

export function writeChannel(work: Work, item: ChannelItem, names: UniqueNames): void {
  const { channels, folders, notes, people, tx } = work
  if (channels.has(item.key)) {
    notes.skipped('channels', 'duplicate', item.key)
    return
  }
  const creator = findUser(tx, people.get(item.creator ?? '') ?? 0)
  const clock = fixedClock((timeOf(item.created) ?? now(work)) * 1000)
  const isPrivate = item.isPrivate ?? false
  // Whoever has left, and a program, made it all the same, but holds no permissions. Nor does anyone
  // where the export says who does.
  const canHold = creator?.isActive && creator.botType === null && !item.permissions
  const holder = canHold ? creator : null
  const channel = createChannel({ ...tx, clock }, holder, {
    ...(item.id !== undefined && { id: item.id }),
    name: names.take(item.name, `channel ${item.key}`),
    isPrivate,
    isWebPublic: !isPrivate && (item.isWebPublic ?? false),
    historyPublic: item.hasPublicHistory ?? true,
    isDefault: !isPrivate && !item.isArchived && (item.isDefault ?? false),
    retentionDays: item.retentionDays ?? null,
    topicsPolicy: item.topicsPolicy ?? 'inherit',
    folderId: folders.get(item.folder ?? '') ?? null,
  })
  const { id, name, recipientId } = channel
  channels.set(item.key, { id, name, recipientId })
  notes.imported('channels')
  updateChannel(tx, id, { isArchived: item.isArchived ?? false, creatorId: creator?.id ?? null })
  for (const [setting, key] of Object.entries(item.permissions ?? {})) {
    const permission = setting as ChannelPermission
    const rule = Object.hasOwn(permissionRules.stream, setting)
      ? permissionRules.stream[permission]
      : undefined
    const group = groupOf(work, key, rule)
    if (group === undefined) notes.skipped('settings', 'bad-value', `${setting} of a channel`)
    else updateChannel(tx, id, { [channelColumn(permission)]: group })
  }
  const { description } = item
  if (description !== undefined) work.later.push(() => writeDescription(work, id, description))
}

/** When all channels to which it may link exist. */
function writeDescription(work: Work, id: number, content: Content): void {
  const source = mendedName(
    resolveContent(partsOf(content), referents(work)),
    limits.channelDescriptionLength,
  )
  const creatorId = findChannel(work.tx, id)?.creatorId ?? undefined
  const renderedDescription = source && renderFor(work, creatorId, source).html
  updateChannel(work.tx, id, { description: source, renderedDescription })
}

const insertSubscription = bulkInsert(subscriptions)

export function writeMembership(work: Work, item: MembershipItem): void {
  const { channels, notes, tx } = work
  const channel = channels.get(item.channel)
  if (!channel) {
    notes.skipped('subscriptions', 'absent', `channel ${item.channel}`)
    return
  }
  const userId = personOf(work, item.person)
  const { notifications = {} } = item
  const color = item.color?.toLowerCase()
  const isNew = insertSubscription(tx, {
    userId,
    channelId: channel.id,
    isActive: item.isActive ?? true,
    color: color !== undefined && isColor(color) ? color : colorOf(work, userId),
    isMuted: item.isMuted ?? false,
    pinToTop: item.isPinned ?? false,
    desktopNotifications: notifications.desktop ?? null,
    audibleNotifications: notifications.audible ?? null,
    pushNotifications: notifications.push ?? null,
    emailNotifications: notifications.email ?? null,
    wildcardMentionsNotify: notifications.wildcardMentions ?? null,
  })
  if (!isNew) {
    notes.skipped('subscriptions', 'duplicate', `${item.channel}: ${item.person}`)
    return
  }
  notes.imported('subscriptions')
  if (item.readUpTo) spoolReadUpTo(tx, userId, channel.id, item.readUpTo)
}

/** The colors of someone's subscriptions one after the other. */
function colorOf({ colors }: Work, userId: number): string {
  const used = colors.get(userId) ?? new Set()
  colors.set(userId, used)
  const color = freeColor(used)
  used.add(color)
  return color
}

export function writeSpan(work: Work, item: SpanItem): void {
  const channel = work.channels.get(item.channel)
  const userId = work.people.get(item.person)
  if (!channel || userId === undefined) {
    work.notes.skipped('subscriptions', 'absent', `span ${item.channel}: ${item.person}`)
    return
  }
  spoolSpan(work.tx, userId, channel.id, item.from, item.until)
}
