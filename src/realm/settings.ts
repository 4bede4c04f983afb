import { sql } from 'drizzle-orm'
import * as v from 'valibot'
import { systemGroupId } from '#permissions/groups.ts'
import { permissionRules, type RealmPermission } from '#permissions/table.ts'
import {
  bool,
  int,
  language,
  nullable,
  oneOf,
  prose,
  type Setting,
  type SettingValue,
  text,
} from '#setting.ts'
import { cached } from '#store/cached.ts'
import { jsonText } from '#store/json.ts'
import { realmSettings } from '#store/schema.ts'
import type { Read, Tx } from '#store/write.ts'
import { limits } from './limits.ts'

const week = 7 * 24 * 3600
const longestTime = 2_147_483_647

/** Seconds during which something may still be done to a message; null without a limit. */
const timeLimit = (fallback: number) => nullable(int(1, longestTime, fallback), fallback)

const webAddress: Setting<string> = {
  schema: v.pipe(v.string(), v.url(), v.regex(/^[Hh][Tt][Tt][Pp][Ss]?:/), v.maxLength(200)),
  fallback: '',
}

/** The channel that some notices go to; -1 for none. */
const channelId = () => int(-1, Number.MAX_SAFE_INTEGER, -1)

/**
 * Every plain setting of the organization, under its wire name without `realm_`. Permission
 * settings are in permissions/table.ts.
 *
 * @source the API description of `POST /register` with api-changes §7b, at feature level 421
 */
export const realmSettingRules = {
  allow_message_editing: bool(true),
  avatar_changes_disabled: bool(false),
  /** The language of code blocks that name none; empty: plain text. */
  default_code_block_language: text(40),
  /** Of automated messages and invitations. */
  default_language: language(),
  digest_emails_enabled: bool(false),
  /** 0 is Monday. */
  digest_weekday: int(0, 6, 1),
  disallow_disposable_email_addresses: bool(true),
  email_changes_disabled: bool(false),
  emails_restricted_to_domains: bool(false),
  /** What clients without empty topics see as the name of the empty topic. */
  empty_topic_display_name: text(60, 'general chat'),
  enable_guest_user_dm_warning: bool(true),
  enable_guest_user_indicator: bool(true),
  enable_read_receipts: bool(true),
  enable_spectator_access: bool(false),
  /** A key of `gifRatings`. */
  giphy_rating: int(0, 5, 2),
  inline_image_preview: bool(true),
  inline_url_embed_preview: bool(false),
  invite_required: bool(true),
  /** The organization's own Jitsi server; null: the server's. */
  jitsi_server_url: nullable(webAddress),
  message_content_allowed_in_email_notifications: bool(true),
  message_content_delete_limit_seconds: timeLimit(600),
  message_content_edit_limit_seconds: timeLimit(600),
  message_edit_history_visibility_policy: oneOf(['all', 'moves', 'none']),
  /** Days until messages are deleted, in channels without a policy of their own; -1: never. */
  message_retention_days: int(-1, longestTime, -1),
  moderation_request_channel_id: channelId(),
  move_messages_between_streams_limit_seconds: timeLimit(week),
  move_messages_within_stream_limit_seconds: timeLimit(week),
  name_changes_disabled: bool(false),
  new_stream_announcements_stream_id: channelId(),
  /** What kind of organization this is, as the API numbers kinds; 0: it did not say. */
  org_type: oneOf([0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000]),
  presence_disabled: bool(false),
  require_e2ee_push_notifications: bool(false),
  require_unique_names: bool(false),
  /** Whether Notification Bot says in channels what happens to them. */
  send_channel_events_messages: bool(true),
  send_welcome_emails: bool(true),
  signup_announcements_stream_id: channelId(),
  topics_policy: oneOf(['allow_empty_topic', 'disable_empty_topic']),
  /** A key of `videoCallProviders`. */
  video_chat_provider: oneOf([0, 1], 1),
  /** Days after joining until a member is a full member. */
  waiting_period_threshold: int(0, 36_500, 0),
  want_advertise_in_communities_directory: bool(false),
  /** Markdown that ends the welcome message; empty: nothing. */
  welcome_message_custom_text: prose(limits.welcomeTextLength),
  zulip_update_announcements_stream_id: channelId(),
} as const satisfies Record<string, Setting<unknown>>

/** What clients may not set and never see under its own name. */
const innerSettingRules = {
  /** The host of the placeholder addresses that stand for hidden ones, and of bots' addresses. */
  placeholder_domain: text(255, 'localhost'),
} as const satisfies Record<string, Setting<unknown>>

const rules = { ...realmSettingRules, ...innerSettingRules }

export type RealmSettingName = keyof typeof rules
export type RealmSettingValue<N extends RealmSettingName> = SettingValue<(typeof rules)[N]>

/** All that differs from its default: plain settings, and permissions as group ids. */
const chosen = cached((read) => {
  const rows = read.db.select().from(realmSettings).all()
  return new Map(rows.map(({ name, value }) => [name, value]))
})
const all = 'all'

/** The value of a setting: what was set, or the default. */
export function realmSetting<N extends RealmSettingName>(
  read: Read,
  name: N,
): RealmSettingValue<N> {
  const value = chosen.get(read, all).get(name)
  return (value === undefined ? rules[name].fallback : value) as RealmSettingValue<N>
}

/** The group that holds a permission of the organization: the id of a named or anonymous group. */
export function realmGroupSetting(read: Read, name: RealmPermission): number {
  const value = chosen.get(read, all).get(name)
  if (value !== undefined) return value as number
  return systemGroupId(read, permissionRules.realm[name].default)
}

/** Stores a setting's value, in one statement. */
export function setRealmSetting<N extends RealmSettingName>(
  tx: Tx,
  name: N,
  value: RealmSettingValue<N>,
): void {
  upsert(tx, name, v.parse(rules[name].schema, value))
}

/** Gives a permission to a group; `storeGroupSetting` makes the group of an anonymous value. */
export function setRealmGroupSetting(tx: Tx, name: RealmPermission, groupId: number): void {
  upsert(tx, name, groupId)
}

function upsert(tx: Tx, name: string, value: unknown): void {
  tx.db
    .insert(realmSettings)
    .values({ name, value: jsonText(value) })
    .onConflictDoUpdate({ target: realmSettings.name, set: { value: sql`excluded.value` } })
    .run()
  chosen.forget(tx, all)
}
