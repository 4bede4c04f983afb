import { isInGroup, systemGroupId } from '#features/access/permissions/membership.queries.ts'
import { channelColumn, groupColumn } from '#features/access/permissions/rules.ts'
import {
  type ChannelPermission,
  permissionRules,
  systemGroups,
} from '#features/access/permissions/table.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import type { channelFolders, userGroups } from '#platform/store/schema.ts'
import { isIn, recipientTypes, topicsPolicyNumbers, withoutNul } from './format.ts'
import { type Plan, targetOf } from './plan.queries.ts'

export type Row = Readonly<Record<string, unknown>>
/** The rows of one table of `realm.json`. */
export type Rows = (plan: Plan) => Iterable<Row>

/** Numbers the rows of a table that has no IDs here. */
export function* numbered(rows: Iterable<Row>): Generator<Row> {
  let id = 0
  for (const row of rows) yield { id: ++id, ...row }
}

/** Rows of people's own things: those of people whose private data are exported. */
function ownRows<R extends { readonly userId: number }>(
  source: string,
  make: (row: R, plan: Plan) => Row | undefined,
): Rows {
  const all = preparedSql<R>(source)
  return function* rows(plan) {
    for (const row of all(plan.read).iterate({})) {
      if (!plan.selection.hasPrivateDataOf(row.userId)) continue
      if (plan.users.get(row.userId)?.isSystemBot !== false) continue
      const made = make(row, plan)
      if (made) yield { realm: 1, user_profile: row.userId, ...made }
    }
  }
}

// --- Channels and their subscribers ---

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

export const recipients: Rows = function* recipients({ channelTargets, huddles, persons }) {
  const all = [...persons.values(), ...channelTargets.values(), ...new Set(huddles.values())]
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

// --- Groups ---

const groups = preparedSql<typeof userGroups.$inferSelect>(`
  SELECT id, name, description, is_system AS isSystem, creator_id AS creatorId,
    date_created AS dateCreated, deactivated, can_add_members_group AS canAddMembersGroup,
    can_join_group AS canJoinGroup, can_leave_group AS canLeaveGroup,
    can_manage_group AS canManageGroup, can_mention_group AS canMentionGroup,
    can_remove_members_group AS canRemoveMembersGroup
  FROM user_groups ORDER BY id`)

export const allGroups: Rows = function* allGroups({ read }) {
  for (const { id } of groups(read).all({})) yield { id, realm: 1 }
}

export const namedGroups: Rows = function* namedGroups({ read }) {
  const names = Object.keys(permissionRules.group) as (keyof typeof permissionRules.group)[]
  for (const group of groups(read).all({})) {
    if (group.name === null) continue
    const permissions = names.map((name) => [
      name,
      group[groupColumn(name)] ??
        systemGroupId(read, permissionRules.group[name].forSystemGroups ?? 'role:nobody'),
    ])
    yield {
      id: group.id,
      usergroup_ptr: group.id,
      realm_for_sharding: 1,
      name: group.name,
      description: withoutNul(group.description),
      is_system_group: Boolean(group.isSystem),
      creator: group.creatorId,
      date_created: group.dateCreated,
      deactivated: Boolean(group.deactivated),
      ...Object.fromEntries(permissions),
    }
  }
}

const members = preparedSql<{ groupId: number; userId: number }>(
  'SELECT group_id AS groupId, user_id AS userId FROM group_members ORDER BY group_id, user_id',
)

/** The system groups in which a role is itself; the larger ones have those as subgroups. */
const rolesGroups: Readonly<Record<number, (typeof systemGroups)[number]>> = {
  100: 'role:owners',
  200: 'role:administrators',
  300: 'role:moderators',
  400: 'role:members',
  600: 'role:everyone',
}

export const groupMembers: Rows = (plan) => numbered(allMembers(plan))

function* allMembers({ people, read }: Plan): Generator<Row> {
  for (const user of people) {
    const group = rolesGroups[user.role]
    if (!group) continue
    yield { user_group: systemGroupId(read, group), user_profile: user.id }
    if (
      group === 'role:members' &&
      isInGroup(read, user, systemGroupId(read, 'role:fullmembers'))
    ) {
      yield { user_group: systemGroupId(read, 'role:fullmembers'), user_profile: user.id }
    }
  }
  for (const { groupId, userId } of members(read).iterate({})) {
    yield { user_group: groupId, user_profile: userId }
  }
}

const subgroupRows = preparedSql<{ groupId: number; subgroupId: number }>(`
  SELECT group_id AS groupId, subgroup_id AS subgroupId FROM group_subgroups
  ORDER BY group_id, subgroup_id`)

export const subgroups: Rows = (plan) => numbered(allSubgroups(plan))

function* allSubgroups({ read }: Plan): Generator<Row> {
  // Each system group is in the next larger one; nobody's has none.
  const chain = systemGroups.slice(1)
  for (const [i, name] of chain.entries()) {
    const larger = chain[i + 1]
    if (larger) {
      yield { supergroup: systemGroupId(read, larger), subgroup: systemGroupId(read, name) }
    }
  }
  for (const { groupId, subgroupId } of subgroupRows(read).iterate({})) {
    yield { supergroup: groupId, subgroup: subgroupId }
  }
}

// --- What belongs to messages ---

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

// --- What people have set ---

export const userTopics: Rows = (plan) =>
  numbered(
    ownRows<{
      userId: number
      channelId: number
      recipientId: number
      topic: string
      policy: number
      changed: number
    }>(
      `SELECT t.user_id AS userId, t.channel_id AS channelId, c.recipient_id AS recipientId, t.topic,
         t.policy, t.last_updated AS changed
       FROM user_topics t JOIN channels c ON c.id = t.channel_id
       ORDER BY t.user_id, t.channel_id, t.topic_key`,
      (row, { channelTargets }) => {
        const target = channelTargets.get(row.recipientId)
        return (
          target && {
            stream: row.channelId,
            recipient: target.id,
            topic_name: withoutNul(row.topic),
            last_updated: row.changed,
            visibility_policy: row.policy,
          }
        )
      },
    )(plan),
  )

export const mutedUsers: Rows = (plan) => numbered(mutes(plan))
const mutes = ownRows<{ userId: number; mutedId: number; since: number }>(
  `SELECT user_id AS userId, muted_id AS mutedId, muted_at AS since FROM muted_users
   ORDER BY user_id, muted_id`,
  ({ mutedId, since }) => ({ muted_user: mutedId, date_muted: since }),
)

export const alertWords: Rows = (plan) => numbered(words(plan))
const words = ownRows<{ userId: number; word: string }>(
  'SELECT user_id AS userId, word FROM alert_words ORDER BY user_id, word_key',
  ({ word }) => ({ word }),
)

export const presences: Rows = (plan) => numbered(presenceRows(plan))
const presenceRows = ownRows<{
  userId: number
  active: number | null
  idle: number | null
  update: number
}>(
  `SELECT user_id AS userId, active_at AS active, idle_at AS idle, update_id AS "update"
   FROM presence ORDER BY user_id`,
  ({ active, idle, update }) => ({
    last_active_time: active,
    last_connected_time: idle ?? active,
    last_update_id: update,
  }),
)

const newestPresence = preparedSql<{ newest: number }>(
  'SELECT coalesce(max(update_id), 0) AS newest FROM presence',
)

export const presenceSequence: Rows = ({ read }) => [
  { id: 1, realm: 1, last_update_id: newestPresence(read).get({})?.newest ?? 0 },
]

export const statuses: Rows = (plan) => numbered(statusRows(plan))
const statusRows = ownRows<{
  userId: number
  text: string
  name: string | null
  code: string | null
  type: string | null
}>(
  `SELECT user_id AS userId, status_text AS text, emoji_name AS name, emoji_code AS code,
     reaction_type AS type
   FROM user_statuses ORDER BY user_id`,
  ({ code, name, text, type }) => ({
    client: 1,
    timestamp: 0,
    status_text: withoutNul(text),
    emoji_name: name ?? '',
    emoji_code: code ?? '',
    reaction_type: type ?? 'unicode_emoji',
  }),
)

export const snippets = ownRows<{
  id: number
  userId: number
  title: string
  content: string
  created: number
}>(
  `SELECT id, user_id AS userId, title, content, date_created AS created FROM saved_snippets
   ORDER BY id`,
  ({ content, created, id, title }) => ({
    id,
    title: withoutNul(title),
    content: withoutNul(content),
    date_created: created,
  }),
)

export const navigationViews: Rows = function* navigationViews(plan) {
  for (const { realm: _, user_profile: user, ...view } of numbered(views(plan)))
    yield { ...view, user }
}
const views = ownRows<{ userId: number; fragment: string; pinned: number; name: string | null }>(
  `SELECT user_id AS userId, fragment, is_pinned AS pinned, name FROM navigation_views
   ORDER BY user_id, fragment`,
  ({ fragment, name, pinned }) => ({ fragment, is_pinned: pinned === 1, name }),
)

interface ScheduledRow {
  readonly id: number
  readonly senderId: number
  readonly channelId: number | null
  readonly to: string
  readonly topic: string
  readonly content: string
  readonly rendered: string
  readonly due: number
  readonly readBySender: number
  readonly client: string
  readonly failed: number
  readonly recipientId: number | null
  readonly hasFile: number
}

const scheduledRows = preparedSql<ScheduledRow>(`
  SELECT s.id, s.sender_id AS senderId, s.channel_id AS channelId, s."to", s.topic, s.content,
    s.rendered_content AS rendered, s.deliver_at AS due, s.read_by_sender AS readBySender, s.client,
    s.failed, c.recipient_id AS recipientId,
    EXISTS (SELECT 1 FROM attachment_schedules a WHERE a.scheduled_message_id = s.id) AS hasFile
  FROM scheduled_messages s LEFT JOIN channels c ON c.id = s.channel_id ORDER BY s.id`)

const directRecipient = preparedSql<{ id: number }>(
  'SELECT id FROM recipients WHERE direct_key = @key',
)

/** Messages to be sent later; those to people who never wrote to each other have no place yet. */
export const scheduledMessages: Rows = function* scheduledMessages(plan) {
  for (const row of scheduledRows(plan.read).all({})) {
    if (!plan.selection.hasPrivateDataOf(row.senderId)) continue
    const recipientId = row.recipientId ?? directRecipientOf(plan, row)
    const target =
      recipientId === undefined
        ? undefined
        : targetOf(plan, { recipientId, senderId: row.senderId })
    if (!target) {
      plan.notes.lost('scheduled', `scheduled message ${row.id}`)
      continue
    }
    yield {
      id: row.id,
      realm: 1,
      sender: row.senderId,
      recipient: target.id,
      stream: target.type === recipientTypes.channel ? target.typeId : null,
      subject: withoutNul(row.topic),
      content: withoutNul(row.content),
      rendered_content: withoutNul(row.rendered),
      sending_client: plan.client(row.client),
      scheduled_timestamp: row.due,
      request_timestamp: row.due,
      read_by_sender: row.readBySender === 1,
      delivered: false,
      delivered_message: null,
      failed: row.failed === 1,
      failure_message: null,
      has_attachment: row.hasFile === 1,
      delivery_type: 1,
      reminder_target_message_id: null,
      reminder_note: null,
    }
  }
}

function directRecipientOf({ read }: Plan, { senderId, to }: ScheduledRow): number | undefined {
  const ids = [...new Set([senderId, ...(JSON.parse(to) as number[])])].sort((a, b) => a - b)
  return directRecipient(read).get({ key: ids.join(',') })?.id
}

const left = preparedSql<{ drafts: number; reminders: number; widgets: number }>(`
  SELECT (SELECT count(*) FROM drafts) AS drafts, (SELECT count(*) FROM reminders) AS reminders,
    (SELECT count(DISTINCT message_id) FROM submessages) AS widgets`)

/** Counts what Zulip does not import. */
export function countLosses({ notes, read, release }: Plan): void {
  const { drafts = 0, reminders = 0, widgets = 0 } = left(read).get({}) ?? {}
  if (release < 12) notes.count('widget', widgets)
  notes.count('draft', drafts)
  notes.count('reminder', reminders)
}
