import type { App } from '#client/app.ts'
import { canAdminister, isAdmin } from '#client/commands/permissions.ts'
import { holdersText } from '#client/settings/directory/holders.ts'
import { lockOf } from '#client/settings/setting.tsx'
import type { Channel, User } from '#client/state/model.ts'
import { can, canInChannel } from '#client/state/permissions.ts'
import type { Store } from '#client/state/store.ts'
import { t } from '#client/ui/t.ts'

/**
 * The user's permissions for a channel, by the rules of the server. Each lock says who may change
 * something if the user may not.
 */

type Lock = string | undefined

/** What has an answer of its own to who may change it. */
export interface ChannelLocks {
  /** Name, description, folder, archive, and permissions that are not named below. */
  readonly settings: Lock
  /** Privacy, and who can subscribe themselves or others. */
  readonly access: Lock
  readonly topicsPolicy: Lock
  /** Who can delete messages. */
  readonly deletion: Lock
  /** What concerns new people and new subscribers. */
  readonly defaults: Lock
  readonly retention: Lock
}

export function channelLocks(app: App, channel: Channel): ChannelLocks {
  const { store } = app
  const settings = canAdminister(store, channel) ? undefined : administratorsText(store, channel)
  return {
    settings,
    access: settings ?? accessLock(store, channel),
    topicsPolicy: settings ?? policyLock(store, 'can_set_topics_policy_group'),
    deletion: settings ?? policyLock(store, 'can_set_delete_message_policy_group'),
    defaults: lockOf(app),
    retention: lockOf(app, 'owners'),
  }
}

function administratorsText(store: Store, { permissions }: Channel): string {
  const who = holdersText(permissions.can_administer_channel_group, store)
  if (who === undefined) return t('Only administrators can change this.')
  return t('Only administrators and people who manage the channel can change this: {who}.', {
    who,
  })
}

function accessLock(store: Store, channel: Channel): Lock {
  if (canRead(store, channel)) return undefined
  return t('Only those who can read the channel can change this.')
}

function policyLock(
  store: Store,
  name: 'can_set_topics_policy_group' | 'can_set_delete_message_policy_group',
): Lock {
  if (isAdmin(store) || can(store, name)) return undefined
  return t("The organization's permissions do not allow you to change this.")
}

/** Whether the user may read the messages of a channel, subscribed or not. */
export function canRead(store: Store, channel: Channel): boolean {
  const isOpen = channel.isWebPublic || (!channel.isPrivate && !isGuest(store))
  return (
    isOpen ||
    store.subscriptions.get(channel.id) !== undefined ||
    canInChannel(store, channel, 'can_subscribe_group') ||
    canInChannel(store, channel, 'can_add_subscribers_group')
  )
}

const isGuest = (store: Store) => store.users.get(store.selfId)?.role === 600

/** Who may subscribe others, where the user may not. */
export function addingLock(store: Store, channel: Channel): Lock {
  const isHolder =
    canAdminister(store, channel) ||
    canInChannel(store, channel, 'can_add_subscribers_group') ||
    can(store, 'can_add_subscribers_group')
  if (isHolder && !isGuest(store)) return accessLock(store, channel)
  const who = holdersText(channel.permissions.can_add_subscribers_group, store)
  if (who === undefined) return t('Only administrators can subscribe others.')
  return t('Only administrators and these can subscribe others: {who}.', { who })
}

/** Whether the user may subscribe others. */
export function canSubscribeOthers(store: Store, channel: Channel): boolean {
  return !channel.isArchived && addingLock(store, channel) === undefined
}

/** Whether the user may unsubscribe someone. */
export function canUnsubscribe(store: Store, channel: Channel, user: User): boolean {
  if (channel.isArchived) return false
  return (
    user.id === store.selfId ||
    user.ownerId === store.selfId ||
    canAdminister(store, channel) ||
    canInChannel(store, channel, 'can_remove_subscribers_group')
  )
}

/** Whether the user may make a channel that everyone on the web can read. */
export function canOpenToWeb(store: Store): boolean {
  const { server_web_public_streams_enabled, realm_enable_spectator_access } = store.realm.value
  const isEnabled = server_web_public_streams_enabled && realm_enable_spectator_access
  return isEnabled && can(store, 'can_create_web_public_channel_group')
}
