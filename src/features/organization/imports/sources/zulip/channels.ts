import { recipientTypes, topicsPolicyNumbers } from '#features/organization/exports/zulip/format.ts'
import type { Reading } from '#features/organization/imports/source.ts'
import type { ChannelItem, MembershipItem } from '#features/organization/imports/stream.ts'
import type { Directory } from './directory.ts'
import { permissionsIn, subscription } from './rows.ts'
import { pairOf } from './spans.ts'
import { realmFile, tableRows } from './tables.ts'

/** Policies of topics by their numbers. */
const topicsPolicies = new Map(
  (Object.keys(topicsPolicyNumbers) as (keyof typeof topicsPolicyNumbers)[]).map((name) => [
    topicsPolicyNumbers[name] as number,
    name,
  ]),
)

export function* channels({ channels, defaultChannels }: Directory): Generator<ChannelItem> {
  for (const row of channels.values()) {
    const policy = topicsPolicies.get(row.topics_policy ?? 0)
    yield {
      type: 'channel',
      key: String(row.id),
      id: row.id,
      name: row.name,
      description: row.description,
      creator: row.creator ? String(row.creator) : undefined,
      created: row.date_created ?? undefined,
      folder: row.folder ? String(row.folder) : undefined,
      isPrivate: row.invite_only,
      isWebPublic: row.is_web_public,
      hasPublicHistory: row.history_public_to_subscribers ?? !row.invite_only,
      isArchived: row.deactivated,
      isDefault: defaultChannels.has(row.id),
      retentionDays: row.message_retention_days ?? null,
      ...(policy && { topicsPolicy: policy }),
      permissions: permissionsIn(row),
    }
  }
}

/**
 * Current and former subscriptions.
 *
 * @param active gets the pairs of people and channels that are still subscribed
 */
export async function* memberships(
  reading: Reading,
  { recipients, users }: Directory,
  active: Set<string>,
): AsyncGenerator<MembershipItem> {
  const rows = tableRows(reading, realmFile, {
    zerver_subscription: ['subscriptions', subscription],
  })
  for await (const { row } of rows) {
    const to = recipients.get(row.recipient)
    if (!to) reading.notes.skipped('subscriptions', 'absent', `zerver_subscription ${row.id}`)
    if (to?.type !== recipientTypes.channel) continue
    if (row.active) active.add(pairOf(row.user_profile, to.type_id))
    const person = users.get(row.user_profile)
    const lastSeen = person?.long_term_idle ? person.last_active_message_id : undefined
    yield {
      type: 'membership',
      channel: String(to.type_id),
      person: String(row.user_profile),
      isActive: row.active,
      isMuted: row.is_muted,
      isPinned: row.pin_to_top,
      color: row.color ?? undefined,
      notifications: {
        desktop: row.desktop_notifications ?? null,
        audible: row.audible_notifications ?? null,
        push: row.push_notifications ?? null,
        email: row.email_notifications ?? null,
        wildcardMentions: row.wildcard_mentions_notify ?? null,
      },
      ...(lastSeen && { readUpTo: { messageId: lastSeen } }),
    }
  }
}
