import { Users } from 'lucide'
import { ChannelIcon } from '#client/messages/channel-icon.tsx'
import { canSubscribeOthers } from '#client/settings/channels/rights.ts'
import { canAddMember } from '#client/settings/groups/rights.ts'
import type { Channel, Group } from '#client/state/model.ts'
import type { Store } from '#client/state/store.ts'
import { Icon } from '#client/ui/icon.tsx'
import type { Pickable } from './pick-many.tsx'

export function pickableChannel({ id, name, description }: Channel): Pickable {
  const picture = () => <ChannelIcon channelId={id} />
  return { id, name, detail: description || undefined, picture }
}

export function pickableGroup({ id, name, description }: Group): Pickable {
  const picture = () => <Icon node={Users} size={16} />
  return { id, name, detail: description || undefined, picture }
}

/** The channels to which the user may subscribe others. */
export function givenChannels(store: Store): Channel[] {
  return [...store.channels.all.values()].filter((channel) => canSubscribeOthers(store, channel))
}

/** The groups to which the user may add someone. */
export function givenGroups(store: Store, userId?: number): Group[] {
  return [...store.groups.all.values()].filter((group) => canAddMember(store, group, userId))
}
