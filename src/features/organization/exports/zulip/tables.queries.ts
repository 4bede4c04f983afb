import { channelColumn } from '#features/foundation/permissions/rules.ts'
import { type ChannelPermission, permissionRules } from '#features/foundation/permissions/table.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import type { channelFolders } from '#platform/store/schema.ts'
import { isIn, topicsPolicyNumbers, withoutNul } from './format.ts'
import type { Plan } from './plan.queries.ts'

export type Row = Readonly<Record<string, unknown>>
/** The rows of one table of `realm.json`. */
export type Rows = (plan: Plan) => Iterable<Row>

/** Numbers the rows of a table that has no IDs here. */
export function* numbered(rows: Iterable<Row>): Generator<Row> {
  let id = 0
  for (const row of rows) yield { id: ++id, ...row }
}

export const channels: Rows = function* channels({ release, selection }) {
  const permissions = (Object.keys(permissionRules.stream) as ChannelPermission[]).filter((name) =>
    isIn(release, name),
  )
  for (const channel of selection.channels) {
    yield {
      id: channel.id,
      realm: 1,
      name: withoutNul(channel.name),
      description: withoutNul(channel.description),
      rendered_description: withoutNul(channel.renderedDescription),
      creator: channel.creatorId,
      folder: channel.folderId,
      date_created: channel.dateCreated,
      deactivated: channel.isArchived,
      invite_only: channel.isPrivate,
      is_web_public: channel.isWebPublic,
      history_public_to_subscribers: channel.historyPublic,
      message_retention_days: channel.retentionDays,
      topics_policy: topicsPolicyNumbers[channel.topicsPolicy],
      first_message_id: channel.firstMessageId,
      ...Object.fromEntries(permissions.map((name) => [name, channel[channelColumn(name)]])),
    }
  }
}

export const defaultChannels: Rows = ({ selection }) =>
  numbered(
    selection.channels
      .filter(({ isDefault }) => isDefault)
      .map(({ id }) => ({ realm: 1, stream: id })),
  )

const folders = preparedSql<typeof channelFolders.$inferSelect>(`
  SELECT id, name, description, rendered_description AS renderedDescription, position,
    date_created AS dateCreated, creator_id AS creatorId, is_archived AS isArchived
  FROM channel_folders ORDER BY id`)

export const channelFolderRows: Rows = function* channelFolderRows({ read }) {
  for (const folder of folders(read).all({})) {
    yield {
      id: folder.id,
      realm: 1,
      name: folder.name,
      description: folder.description,
      rendered_description: folder.renderedDescription,
      order: folder.position,
      creator: folder.creatorId,
      date_created: folder.dateCreated ?? 0,
      is_archived: Boolean(folder.isArchived),
    }
  }
}

export const recipients: Rows = function* recipients(plan) {
  const { channelTargets, huddles, persons, users } = plan
  // Zulip has its bots' own, which it finds by the rows of `zerver_userprofile_crossrealm`.
  const ofPeople = [...persons.values()].filter(
    ({ typeId }) => users.get(typeId)?.isSystemBot === false,
  )
  const all = [...ofPeople, ...channelTargets.values(), ...new Set(huddles.values())]
  for (const { id, type, typeId } of all.sort((a, b) => a.id - b.id))
    yield { id, type, type_id: typeId }
}

export const huddles: Rows = function* huddleRows({ huddles }) {
  for (const { members, typeId } of new Set(huddles.values())) {
    yield { id: typeId, group_size: members.length }
  }
}

interface SubscriptionRow {
  readonly userId: number
  readonly recipientId: number
  readonly isActive: number
  readonly color: string
  readonly isMuted: number
  readonly pinToTop: number
  readonly desktop: number | null
  readonly audible: number | null
  readonly push: number | null
  readonly email: number | null
  readonly wildcard: number | null
}

const subscriptionRows = preparedSql<SubscriptionRow>(`
  SELECT s.user_id AS userId, c.recipient_id AS recipientId, s.is_active AS isActive, s.color,
    s.is_muted AS isMuted, s.pin_to_top AS pinToTop, s.desktop_notifications AS desktop,
    s.audible_notifications AS audible, s.push_notifications AS push,
    s.email_notifications AS email, s.wildcard_mentions_notify AS wildcard
  FROM subscriptions s JOIN channels c ON c.id = s.channel_id ORDER BY s.channel_id, s.user_id`)

/** The color of what has none here. */
const plainColor = '#c2c2c2'
const flag = (value: number | null) => (value === null ? null : value === 1)

export const subscriptions: Rows = (plan) => numbered(allSubscriptions(plan))

function* allSubscriptions(plan: Plan): Generator<Row> {
  const { channelTargets, huddles, persons, read, selection, users } = plan
  const isActiveUser = (id: number) => users.get(id)?.isActive === true
  const plain = (userId: number, recipient: number) => ({
    user_profile: userId,
    recipient,
    active: true,
    is_user_active: isActiveUser(userId),
    is_muted: false,
    color: plainColor,
    pin_to_top: false,
    ...noSwitches,
  })
  for (const row of subscriptionRows(read).iterate({})) {
    const target = channelTargets.get(row.recipientId)
    if (!target || users.get(row.userId)?.isSystemBot !== false) continue
    const isOwn = selection.hasPrivateDataOf(row.userId)
    yield {
      user_profile: row.userId,
      recipient: target.id,
      active: row.isActive === 1,
      is_user_active: isActiveUser(row.userId),
      is_muted: isOwn && row.isMuted === 1,
      color: isOwn ? row.color : plainColor,
      pin_to_top: isOwn && row.pinToTop === 1,
      ...(isOwn
        ? {
            desktop_notifications: flag(row.desktop),
            audible_notifications: flag(row.audible),
            push_notifications: flag(row.push),
            email_notifications: flag(row.email),
            wildcard_mentions_notify: flag(row.wildcard),
          }
        : noSwitches),
    }
  }
  for (const { id, typeId } of persons.values()) {
    if (users.get(typeId)?.isSystemBot === false) yield plain(typeId, id)
  }
  for (const { id, members } of new Set(huddles.values())) {
    for (const userId of members) yield plain(userId, id)
  }
}

const noSwitches = {
  desktop_notifications: null,
  audible_notifications: null,
  push_notifications: null,
  email_notifications: null,
  wildcard_mentions_notify: null,
}

interface ReactionRow {
  readonly id: number
  readonly userId: number
  readonly messageId: number
  readonly recipientId: number
  readonly name: string
  readonly code: string
  readonly type: string
}

const reactionRows = preparedSql<ReactionRow>(`
  SELECT r.id, r.user_id AS userId, r.message_id AS messageId, m.recipient_id AS recipientId,
    r.emoji_name AS name, r.emoji_code AS code, r.reaction_type AS type
  FROM reactions r JOIN messages m ON m.id = r.message_id ORDER BY r.id`)

export const reactions: Rows = function* reactions(plan) {
  for (const row of reactionRows(plan.read).iterate({})) {
    if (!plan.selection.hasMessage({ id: row.messageId, recipientId: row.recipientId })) continue
    yield {
      id: row.id,
      user_profile: plan.shown(row.userId),
      message: row.messageId,
      emoji_name: row.name,
      emoji_code: row.code,
      reaction_type: row.type,
    }
  }
}

interface SubmessageRow {
  readonly id: number
  readonly userId: number
  readonly messageId: number
  readonly recipientId: number
  readonly content: string
}

const submessageRows = preparedSql<SubmessageRow>(`
  SELECT s.id, s.sender_id AS userId, s.message_id AS messageId, m.recipient_id AS recipientId,
    s.content
  FROM submessages s JOIN messages m ON m.id = s.message_id ORDER BY s.id`)

/** The votes of polls and the tasks of lists, which only release 12 takes. */
export const submessages: Rows = function* submessages(plan) {
  for (const row of submessageRows(plan.read).iterate({})) {
    if (!plan.selection.hasMessage({ id: row.messageId, recipientId: row.recipientId })) continue
    yield {
      id: row.id,
      message: row.messageId,
      sender: plan.shown(row.userId),
      msg_type: 'widget',
      content: withoutNul(row.content),
    }
  }
}
