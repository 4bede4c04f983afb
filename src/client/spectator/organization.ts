import type { Api } from '#client/api/api.ts'
import type { RegisterReply, WireChannel } from '#client/api/wire.ts'
import type { Lookups } from '#client/narrow/hash.ts'
import { channelFromWire } from '#client/state/from-wire.ts'
import type { Channel } from '#client/state/model.ts'
import { byName } from '#client/state/names.ts'
import { noUser } from './spectator-view.ts'

type State = Pick<
  RegisterReply,
  'realm_name' | 'realm_icon_url' | 'realm_emoji' | 'realm_empty_topic_display_name'
> & { readonly streams: readonly WireChannel[] }

/** The data about the organization for people without an account. */
export interface Organization {
  readonly name: string
  readonly iconUrl: string
  /** By name. */
  readonly channels: readonly Channel[]
  readonly lookups: Lookups
  /** The address of a custom emoji's picture, by its id. */
  emojiUrl(id: string): string | undefined
  /** A topic as it is shown. */
  topicName(topic: string): string
}

/** @throws CallError `UNAUTHORIZED`: reading needs an account here */
export async function fetchOrganization(api: Api): Promise<Organization> {
  const state = await api.post<State>('/register', {
    fetch_event_types: ['realm', 'realm_emoji', 'stream'],
    client_capabilities: { empty_topic_name: true },
  })
  const channels = state.streams.map(channelFromWire).sort((a, b) => byName(a.name, b.name))
  const known = new Map(channels.map((channel) => [channel.id, channel]))
  return {
    name: state.realm_name,
    iconUrl: state.realm_icon_url,
    channels,
    lookups: { selfId: noUser, channels: lookup(known), users: nothing, groups: nothing },
    emojiUrl: (id) => state.realm_emoji[id]?.source_url,
    topicName: (topic) => (topic === '' ? state.realm_empty_topic_display_name : topic),
  }
}

const lookup = <V>(current: ReadonlyMap<number, V>) => ({
  current,
  peek: (id: number) => current.get(id),
})
const nothing = lookup(new Map<number, never>())
