import type { GroupSettingUpdate } from '#features/foundation/permissions/setting-values.rules.ts'
import type { ChannelPermission } from '#features/foundation/permissions/table.ts'
import type { topicsPolicies } from '#platform/store/schema.ts'

type GroupUpdates = Partial<Record<ChannelPermission, GroupSettingUpdate>>

/**
 * Changes of a channel; undefined leaves a property unchanged. What a request asks for names all of
 * them, so that a new one without its parameter does not compile.
 */
export interface ChannelChanges {
  readonly name: string | undefined
  /** Markdown. */
  readonly description: string | undefined
  readonly isPrivate: boolean | undefined
  readonly isWebPublic: boolean | undefined
  readonly historyPublic: boolean | undefined
  readonly isDefault: boolean | undefined
  /** Only false is allowed: `archiveChannel` archives. */
  readonly isArchived: boolean | undefined
  /** In days; null: the realm's setting; -1: forever. */
  readonly retentionDays: number | null | undefined
  /** Null: none. */
  readonly folderId: number | null | undefined
  readonly topicsPolicy: (typeof topicsPolicies)[number] | undefined
  readonly defaultPushNotifications: boolean | undefined
  readonly groups: GroupUpdates
}
