import * as v from 'valibot'
import { recipientTypes } from '#features/organization/exports/zulip/format.ts'

/*
 * The rows of Zulip's export, as far as they are read: by the names of its models, which may have
 * further members. Dates are seconds since the epoch, with fractions.
 */

const id = v.pipe(v.number(), v.safeInteger(), v.minValue(1))
const date = v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(253_402_300_799))
const flag = v.optional(v.boolean(), false)
const text = v.optional(v.string(), '')
const maybe = <T extends v.GenericSchema>(schema: T) => v.nullish(schema)
const row = <T extends v.ObjectEntries>(entries: T) => v.looseObject({ id, ...entries })

export const user = row({
  email: text,
  delivery_email: text,
  full_name: text,
  role: v.optional(v.number(), 400),
  is_active: v.optional(v.boolean(), true),
  is_bot: flag,
  is_mirror_dummy: flag,
  bot_type: maybe(v.number()),
  bot_owner: maybe(v.number()),
  timezone: text,
  date_joined: maybe(date),
  avatar_source: text,
  long_term_idle: flag,
  last_active_message_id: maybe(v.number()),
  default_sending_stream: maybe(v.number()),
  default_events_register_stream: maybe(v.number()),
})
export type UserRow = v.InferOutput<typeof user>

export const systemUser = row({ email: v.string(), recipient_id: maybe(v.number()) })

export const channel = row({
  name: v.string(),
  description: text,
  creator: maybe(v.number()),
  folder: maybe(v.number()),
  date_created: maybe(date),
  deactivated: flag,
  invite_only: flag,
  history_public_to_subscribers: maybe(v.boolean()),
  is_web_public: flag,
  message_retention_days: maybe(v.number()),
  topics_policy: maybe(v.number()),
})
export type ChannelRow = v.InferOutput<typeof channel>

export const recipient = row({ type: v.picklist(Object.values(recipientTypes)), type_id: id })
export type RecipientRow = v.InferOutput<typeof recipient>

export const subscription = row({
  user_profile: id,
  recipient: id,
  active: v.optional(v.boolean(), true),
  is_muted: flag,
  color: maybe(v.string()),
  pin_to_top: flag,
  desktop_notifications: maybe(v.boolean()),
  audible_notifications: maybe(v.boolean()),
  push_notifications: maybe(v.boolean()),
  email_notifications: maybe(v.boolean()),
  wildcard_mentions_notify: maybe(v.boolean()),
})

export const message = row({
  sender: id,
  recipient: id,
  subject: text,
  content: v.string(),
  rendered_content: maybe(v.string()),
  date_sent: date,
  sending_client: maybe(v.number()),
  edit_history: maybe(v.string()),
  last_edit_time: v.fallback(maybe(date), undefined),
})

export const flags = v.looseObject({
  user_profile: id,
  message: id,
  flags_mask: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
})

export const client = row({ name: v.string() })
export const defaultChannel = row({ stream: id })

const permission = maybe(v.number())
/** Every member whose name is that of a permission, with the ID of a group. */
export const permissionsIn = (row: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      name.startsWith('can_') && typeof value === 'number' ? [[name, String(value)]] : [],
    ),
  )

export const realm = row({
  name: text,
  description: text,
  date_created: maybe(date),
  deactivated: flag,
  moderation_request_channel: permission,
  new_stream_announcements_stream: permission,
  signup_announcements_stream: permission,
  zulip_update_announcements_stream: permission,
})
export type RealmRow = v.InferOutput<typeof realm>

export const settings = v.looseObject({})
export const sortByDate = v.boolean()

/** Before named groups had a table of their own, this one had their names. */
export const group = row({ name: v.optional(v.string()), description: text, is_system_group: flag })
export type GroupRow = v.InferOutput<typeof group>
export const namedGroup = v.looseObject({
  usergroup_ptr: id,
  name: v.string(),
  description: text,
  is_system_group: flag,
  creator: maybe(v.number()),
  date_created: maybe(date),
  deactivated: flag,
})
export type NamedGroupRow = v.InferOutput<typeof namedGroup>
export const groupMember = v.looseObject({ user_group: id, user_profile: id })
export const subgroup = v.looseObject({ supergroup: id, subgroup: id })

export const folder = row({
  name: v.string(),
  description: text,
  order: v.optional(v.number(), 0),
  creator: maybe(v.number()),
  date_created: maybe(date),
  is_archived: flag,
})

export const emoji = row({
  name: v.string(),
  author: maybe(v.number()),
  file_name: text,
  deactivated: flag,
})

export const service = v.looseObject({
  user_profile: id,
  base_url: v.string(),
  interface: v.optional(v.number(), 1),
})
export const botValue = v.looseObject({
  bot_profile: id,
  key: v.string(),
  value: v.string(),
})

export const profileField = row({
  name: v.string(),
  hint: text,
  order: v.optional(v.number(), 0),
  field_type: v.number(),
  field_data: text,
  display_in_profile_summary: flag,
  required: flag,
  editable_by_user: v.optional(v.boolean(), true),
})
export const profileValue = row({ user_profile: id, field: id, value: v.string() })

export const auditEvent = row({
  event_type: v.number(),
  event_time: date,
  modified_user: maybe(v.number()),
  modified_stream: maybe(v.number()),
  event_last_message_id: maybe(v.number()),
})

export const reaction = row({
  user_profile: id,
  message: id,
  emoji_name: v.string(),
  emoji_code: v.string(),
  reaction_type: v.string(),
})
export const submessage = row({
  message: id,
  sender: id,
  msg_type: v.literal('widget'),
  content: v.string(),
})
export const userTopic = row({
  user_profile: id,
  stream: id,
  topic_name: v.string(),
  last_updated: maybe(date),
  visibility_policy: v.picklist([1, 2, 3]),
})
export const mutedUser = row({ user_profile: id, muted_user: id, date_muted: maybe(date) })
export const alertWord = row({ user_profile: id, word: v.string() })
export const presence = row({
  user_profile: id,
  last_active_time: maybe(date),
  last_connected_time: maybe(date),
})
export const status = row({
  user_profile: id,
  status_text: text,
  emoji_name: text,
  emoji_code: text,
  reaction_type: text,
})
export const snippet = row({
  user_profile: id,
  title: v.string(),
  content: v.string(),
  date_created: maybe(date),
})
export const view = row({
  user: id,
  fragment: v.string(),
  is_pinned: flag,
  name: maybe(v.string()),
})
export const linkifier = row({
  pattern: v.string(),
  url_template: v.string(),
  order: v.optional(v.number(), 0),
})
export const playground = row({
  name: v.string(),
  pygments_language: v.string(),
  url_template: v.string(),
})
export const domain = row({ domain: v.string(), allow_subdomains: flag })
export const scheduled = row({
  sender: id,
  recipient: id,
  subject: text,
  content: v.string(),
  scheduled_timestamp: date,
  delivered: flag,
  failed: flag,
  delivery_type: v.optional(v.number(), 1),
  reminder_target_message_id: maybe(v.number()),
  reminder_note: maybe(v.string()),
})
export const attachment = row({
  owner: id,
  file_name: v.string(),
  path_id: v.string(),
  content_type: maybe(v.string()),
  create_time: maybe(date),
  messages: v.optional(v.array(v.number()), []),
})
/** A file beside `records.json`. */
export const fileRecord = v.looseObject({
  path: v.string(),
  s3_path: text,
  user_profile_id: maybe(v.number()),
  file_name: text,
})

export const edit = v.looseObject({
  user_id: maybe(v.number()),
  timestamp: date,
  prev_content: v.optional(v.string()),
  prev_topic: v.optional(v.string()),
  topic: v.optional(v.string()),
  prev_stream: v.optional(v.number()),
  stream: v.optional(v.number()),
})
