import type * as v from 'valibot'
import { recipientTypes } from '#features/organization/exports/zulip/format.ts'
import type { Reading } from '#features/organization/imports/source.ts'
import type { EmojiRef, Item, ProfileFieldItem } from '#features/organization/imports/stream.ts'
import type { Directory } from './directory.ts'
import {
  alertWord,
  domain,
  mutedUser,
  playground,
  presence,
  profileValue,
  reaction,
  scheduled,
  snippet,
  status,
  submessage,
  userTopic,
  view,
} from './rows.ts'
import { realmFile, tableRows } from './tables.ts'

const policies = { 1: 'muted', 2: 'unmuted', 3: 'followed' } as const
/** The kind of profile fields that name people. */
const peopleKind = 6
/** The kind of a scheduled message that is a reminder. */
const reminderKind = 2

export function* profileFields({ fields }: Directory): Generator<ProfileFieldItem> {
  for (const row of [...fields].sort((a, b) => a.order - b.order || a.id - b.id)) {
    yield {
      type: 'profileField',
      key: String(row.id),
      id: row.id,
      name: row.name,
      hint: row.hint,
      kind: row.field_type,
      data: objectIn(row.field_data),
      isInSummary: row.display_in_profile_summary,
      isRequired: row.required,
      isEditable: row.editable_by_user,
    }
  }
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

export function* linkifiers({ linkifiers }: Directory): Generator<Item> {
  for (const row of [...linkifiers].sort((a, b) => a.order - b.order || a.id - b.id)) {
    yield { type: 'linkifier', pattern: row.pattern, urlTemplate: row.url_template }
  }
}

/** People's settings, and data of messages, in tables that may be long. */
export async function* furtherItems(reading: Reading, directory: Directory): AsyncGenerator<Item> {
  const rows = tableRows(reading, realmFile, {
    zerver_reaction: ['reactions', reaction],
    zerver_submessage: ['widgets', submessage],
    zerver_customprofilefieldvalue: ['profile fields', profileValue],
    zerver_usertopic: ['topic settings', userTopic],
    zerver_muteduser: ['muted people', mutedUser],
    zerver_alertword: ['alert words', alertWord],
    zerver_userpresence: ['presence', presence],
    zerver_userstatus: ['statuses', status],
    zerver_savedsnippet: ['snippets', snippet],
    zerver_navigationview: ['sidebar views', view],
    zerver_scheduledmessage: ['scheduled messages', scheduled],
    zerver_realmplayground: ['playgrounds', playground],
    zerver_realmdomain: ['domains', domain],
  })
  for await (const { row, table } of rows) {
    const item = makers[table](row as never, directory)
    if (item) yield item
    else if (table === 'zerver_scheduledmessage') {
      reading.notes.skipped('scheduled messages', 'absent', `zerver_scheduledmessage ${row.id}`)
    }
  }
}

type Row<T extends v.GenericSchema> = v.InferOutput<T>

const makers = {
  zerver_reaction: (row: Row<typeof reaction>): Item => ({
    type: 'reaction',
    message: String(row.message),
    person: String(row.user_profile),
    emoji: emojiIn(row),
  }),
  zerver_submessage: (row: Row<typeof submessage>): Item => ({
    type: 'submessage',
    message: String(row.message),
    person: String(row.sender),
    content: row.content,
  }),
  zerver_customprofilefieldvalue: (row: Row<typeof profileValue>, { fields }: Directory): Item => {
    const isOfPeople = fields.find(({ id }) => id === row.field)?.field_type === peopleKind
    return {
      type: 'profileValue',
      person: String(row.user_profile),
      field: String(row.field),
      value: isOfPeople ? keysIn(row.value) : row.value,
    }
  },
  zerver_usertopic: (row: Row<typeof userTopic>): Item => ({
    type: 'topicPolicy',
    person: String(row.user_profile),
    channel: String(row.stream),
    topic: row.topic_name,
    policy: policies[row.visibility_policy],
    changed: row.last_updated ?? undefined,
  }),
  zerver_muteduser: (row: Row<typeof mutedUser>): Item => ({
    type: 'mutedPerson',
    person: String(row.user_profile),
    muted: String(row.muted_user),
    since: row.date_muted ?? undefined,
  }),
  zerver_alertword: (row: Row<typeof alertWord>): Item => ({
    type: 'alertWord',
    person: String(row.user_profile),
    word: row.word,
  }),
  zerver_userpresence: (row: Row<typeof presence>): Item => ({
    type: 'presence',
    person: String(row.user_profile),
    active: row.last_active_time ?? undefined,
    connected: row.last_connected_time ?? undefined,
  }),
  zerver_userstatus: (row: Row<typeof status>): Item => ({
    type: 'status',
    person: String(row.user_profile),
    text: row.status_text,
    emoji: row.emoji_code === '' ? undefined : emojiIn(row),
  }),
  zerver_savedsnippet: (row: Row<typeof snippet>): Item => ({
    type: 'snippet',
    person: String(row.user_profile),
    title: row.title,
    content: row.content,
    created: row.date_created ?? undefined,
  }),
  zerver_navigationview: (row: Row<typeof view>): Item => ({
    type: 'navigationView',
    person: String(row.user),
    fragment: row.fragment,
    isPinned: row.is_pinned,
    name: row.name ?? null,
  }),
  zerver_scheduledmessage: scheduledItem,
  zerver_realmplayground: (row: Row<typeof playground>): Item => ({
    type: 'playground',
    name: row.name,
    language: row.pygments_language,
    urlTemplate: row.url_template,
  }),
  zerver_realmdomain: (row: Row<typeof domain>): Item => ({
    type: 'domain',
    domain: row.domain,
    allowSubdomains: row.allow_subdomains,
  }),
}

function emojiIn(row: {
  readonly emoji_name: string
  readonly emoji_code: string
  readonly reaction_type: string
}): EmojiRef {
  if (row.reaction_type === 'realm_emoji') return { custom: row.emoji_code }
  if (row.reaction_type === 'zulip_extra_emoji') return { name: row.emoji_name }
  return { code: row.emoji_code, name: row.emoji_name }
}

/** The IDs in the value of a field that names people. */
function keysIn(text: string): string[] {
  return text.match(/\d+/g) ?? []
}

/** Undefined: it was sent, or its place is gone. */
function scheduledItem(
  row: Row<typeof scheduled>,
  { channels, recipients }: Directory,
): Item | undefined {
  if (row.delivered) return undefined
  const person = String(row.sender)
  const due = row.scheduled_timestamp
  if (row.delivery_type === reminderKind) {
    if (!row.reminder_target_message_id) return undefined
    const message = String(row.reminder_target_message_id)
    return { type: 'reminder', person, message, note: row.reminder_note ?? '', due }
  }
  const to = recipients.get(row.recipient)
  const channel = to?.type === recipientTypes.channel ? channels.get(to.type_id) : undefined
  const place = channel
    ? { channel: String(channel.id), topic: row.subject }
    : to?.type === recipientTypes.person
      ? { people: [String(to.type_id)] }
      : undefined
  return (
    place && { type: 'scheduled', person, to: place, content: row.content, due, failed: row.failed }
  )
}
