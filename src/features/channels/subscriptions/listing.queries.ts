import { canAccessMetadata } from '#features/foundation/channels/access.ts'
import { channelTables, channelText, channelWriter } from '#features/foundation/channels/json.ts'
import {
  type Channel,
  findChannel,
  listChannels,
  listChannelsByName,
  subscriberTables,
} from '#features/foundation/channels/queries.ts'
import { listSubscriptions } from '#features/foundation/channels/subscriptions.queries.ts'
import { accessUser } from '#features/foundation/users/access.ts'
import type { User, Viewer } from '#features/foundation/users/queries.ts'
import type { IncludeSubscribers } from '#platform/events/types.ts'
import { SelectedList } from '#platform/shared-replies/lists.ts'
import {
  type JsonPieces,
  KeptTexts,
  ownArray,
  withMembers,
} from '#platform/shared-replies/values.ts'
import { slices } from '#platform/slices.ts'
import { derivedSteps } from '#platform/store/derived.ts'
import { perDatabase } from '#platform/store/per-database.ts'
import type { Read } from '#platform/store/store.ts'
import { listedSubscribers, personalJson, type SubscriptionJson, subscribersJson } from './json.ts'

/**
 * The channels that a user is subscribed to, by name, without archived ones.
 *
 * @param extended whether the client asked for `extended_members`
 */
export function listSubscribed(
  read: Read,
  user: User,
  wanted: IncludeSubscribers,
  extended: boolean,
): SubscriptionJson[] {
  const json = channelWriter(read, extended)
  return listSubscriptions(read, user.id)
    .flatMap((subscription) => {
      const channel = subscription.isActive && findChannel(read, subscription.channelId)
      if (!channel || channel.isArchived) return []
      const subscribers = subscribersJson(read, channel, wanted)
      return [{ ...json(channel), ...personalJson(subscription), ...subscribers }]
    })
    .sort(byName)
}

/**
 * Ids of the channels that a user is subscribed to and the viewer can see, without archived ones.
 *
 * @throws BAD_REQUEST "No such user": no such user, or the viewer cannot see the user
 */
export function listKnownSubscriptions(read: Read, viewer: User, userId: number): number[] {
  const user = accessUser(read, viewer, userId)
  return listSubscriptions(read, user.id)
    .filter(({ isActive, channelId }) => {
      const channel = isActive && findChannel(read, channelId)
      return channel && !channel.isArchived && canAccessMetadata(read, viewer, channel)
    })
    .map(({ channelId }) => channelId)
}

/** The channels that a user can see, by the state of the user's subscription, as JSON text. */
interface ChannelLists {
  subscriptions: JsonPieces
  /** Channels that the user left. */
  unsubscribed: JsonPieces
  never_subscribed: JsonPieces
}

/** The texts of the channels that users are not subscribed to, made once for each form. */
const othersOf = perDatabase(() => {
  const make = () => ({
    texts: new KeptTexts<[string, readonly number[] | undefined]>(),
    list: new SelectedList(),
  })
  const forms = () =>
    ({ true: make(), partial: make(), false: make() }) satisfies Record<IncludeSubscribers, object>
  return { extended: forms(), plain: forms() }
})

/** The text of a channel that the user is not subscribed to. */
function otherText(
  read: Read,
  channel: Channel,
  wanted: IncludeSubscribers,
  extended: boolean,
): string {
  const text = channelText(read, channel, extended)
  const listed = listedSubscribers(read, channel, wanted)
  const { texts } = othersOf(read)[extended ? 'extended' : 'plain'][wanted]
  return texts.of(channel.id, [text, listed?.ids], () =>
    listed ? withMembers(text, { [listed.name]: listed.ids }) : text,
  )
}

/** How many texts are made in one step. Each takes about 100 µs, those of large channels more. */
const textsAtOnce = 4

/** Makes what `listByMembership` keeps of all channels. */
export const prepareOthers = derivedSteps(
  [...channelTables, ...subscriberTables],
  function* (read, form: `${IncludeSubscribers} ${boolean}`) {
    const [wanted, extended] = form.split(' ') as [IncludeSubscribers, string]
    for (const some of slices(listChannels(read), textsAtOnce)) {
      for (const channel of some) otherText(read, channel, wanted, extended === 'true')
      yield
    }
  },
  6,
)

/**
 * All channels that a user can see, each list ordered by name.
 *
 * @param wanted the form in which to include subscribers
 * @param options whether to list archived channels, and whether to write `extended_members`
 */
export function listByMembership(
  read: Read,
  user: Viewer,
  wanted: IncludeSubscribers,
  { archived, extended }: { readonly archived: boolean; readonly extended: boolean },
): ChannelLists {
  const rows = user === 'spectator' ? [] : listSubscriptions(read, user.id)
  const own = new Map(rows.map((row) => [row.channelId, row]))
  const subscribed: string[] = []
  const left: string[] = []
  const others = othersOf(read)[extended ? 'extended' : 'plain'][wanted]
  const never = listChannelsByName(read).map((channel) => {
    if (channel.isArchived && !archived) return undefined
    if (!canAccessMetadata(read, user, channel)) return undefined
    const subscription = own.get(channel.id)
    if (!subscription) return otherText(read, channel, wanted, extended)
    const text = channelText(read, channel, extended)
    const listed = listedSubscribers(read, channel, wanted)
    const subscribers = listed && { [listed.name]: listed.ids }
    const list = subscription.isActive ? subscribed : left
    list.push(withMembers(text, { ...personalJson(subscription), ...subscribers }))
    return undefined
  })
  return {
    subscriptions: ownArray(subscribed),
    unsubscribed: ownArray(left),
    never_subscribed: others.list.write(never),
  }
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1
}
