import { preparedSql } from '#platform/store/prepared.ts'
import { recipientTypes, withoutNul } from './format.ts'
import { type Plan, targetOf } from './plan.queries.ts'
import { numbered, type Row, type Rows } from './tables.queries.ts'

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
      if (made) yield { user_profile: row.userId, ...made }
    }
  }
}

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
  ({ word }) => ({ realm: 1, word }),
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
    realm: 1,
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
    realm: 1,
    title: withoutNul(title),
    content: withoutNul(content),
    date_created: created,
  }),
)

export const navigationViews: Rows = function* navigationViews(plan) {
  for (const { user_profile: user, ...view } of numbered(views(plan))) yield { ...view, user }
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

type Left = Record<
  'drafts' | 'reminders' | 'widgets' | 'pins' | 'hiddenPreviews' | 'quietTimes' | 'statusEnds',
  number
>

const left = preparedSql<Left>(`
  SELECT (SELECT count(*) FROM drafts) AS drafts, (SELECT count(*) FROM reminders) AS reminders,
    (SELECT count(DISTINCT message_id) FROM submessages) AS widgets,
    (SELECT count(*) FROM pinned_messages) AS pins,
    (SELECT count(*) FROM hidden_previews) AS hiddenPreviews,
    (SELECT count(*) FROM quiet_times) AS quietTimes,
    (SELECT count(*) FROM user_statuses WHERE ends_at IS NOT NULL) AS statusEnds`)

/** Counts what Zulip does not import. */
export function countLosses({ notes, read, release }: Plan): void {
  const found = left(read).get({})
  if (!found) return
  if (release < 12) notes.count('widget', found.widgets)
  notes.count('draft', found.drafts)
  notes.count('reminder', found.reminders)
  notes.count('pin', found.pins)
  notes.count('hiddenPreviews', found.hiddenPreviews)
  notes.count('quietTimes', found.quietTimes)
  notes.count('statusEnd', found.statusEnds)
}
