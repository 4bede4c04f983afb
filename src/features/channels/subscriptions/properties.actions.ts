import { aboutChannel } from '#features/foundation/channels/events.ts'
import { findChannel } from '#features/foundation/channels/queries.ts'
import {
  findSubscription,
  type Subscription,
  updateSubscription,
} from '#features/foundation/channels/subscriptions.queries.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { fullColor, isColor } from './colors.ts'
import { subscriptionUpdateEvent } from './events.ts'

/** The columns of a subscription's boolean properties, by wire name. */
const switches = {
  is_muted: 'isMuted',
  pin_to_top: 'pinToTop',
  desktop_notifications: 'desktopNotifications',
  audible_notifications: 'audibleNotifications',
  push_notifications: 'pushNotifications',
  email_notifications: 'emailNotifications',
  wildcard_mentions_notify: 'wildcardMentionsNotify',
} as const satisfies Record<string, keyof Subscription>

/** A requested change, not yet validated. */
export interface RequestedChange {
  readonly channelId: number
  /** The wire name of the property. */
  readonly property: string
  readonly value: boolean | string
}

/**
 * Changes personal properties of the caller's subscriptions: all of the changes or none.
 *
 * @throws BAD_REQUEST not subscribed, an unknown property, or an invalid value
 * @source Zulip API, "Bulk update subscription settings"
 */
export function changeProperties(
  tx: Tx,
  caller: Caller,
  changes: readonly RequestedChange[],
): void {
  for (const change of changes) changeOne(tx, caller, change)
}

function changeOne(
  tx: Tx,
  { user }: Caller,
  { channelId, property, value }: RequestedChange,
): void {
  const subscription = findSubscription(tx, user.id, channelId)
  const channel = subscription?.isActive && findChannel(tx, channelId)
  if (!channel)
    throw badRequest(sentSentence('Not subscribed to channel id {id}', { id: String(channelId) }), {
      parameter: 'stream_id',
    })
  const emit = (name: string, current: boolean | string) =>
    tx.emit(aboutChannel(channel, subscriptionUpdateEvent(channelId, name, current)), [user.id])
  if (property === 'color') {
    if (typeof value !== 'string' || !isColor(value)) {
      throw badRequest(sentSentence('color is not a valid hex color code'), { parameter: 'value' })
    }
    const color = fullColor(value)
    updateSubscription(tx, user.id, channelId, { color })
    emit('color', color)
    return
  }
  const name = property === 'in_home_view' ? 'is_muted' : property
  if (!isSwitch(name))
    throw badRequest(sentSentence('Unknown subscription property: {name}', { name: property }), {
      parameter: 'property',
    })
  if (typeof value !== 'boolean')
    throw badRequest(sentSentence('{name} is not a boolean', { name: property }), {
      parameter: 'value',
    })
  const isOn = property === 'in_home_view' ? !value : value
  updateSubscription(tx, user.id, channelId, { [switches[name]]: isOn })
  emit(name, isOn)
  // Emit both names: older clients know only `in_home_view` (feature level 139).
  if (name === 'is_muted') emit('in_home_view', !isOn)
}

function isSwitch(name: string): name is keyof typeof switches {
  return Object.hasOwn(switches, name)
}
