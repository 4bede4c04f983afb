import assert from 'node:assert/strict'

/** A JSON object of the wire whose members the reducers know. */
export type Json = { [member: string]: unknown }

/** An event as a client receives it, with or without its `id`. */
export interface WireEvent extends Json {
  readonly type: string
}

export interface Channel extends Json {
  stream_id: number
  name: string
  subscriber_count: number
  subscribers?: number[]
}

export interface Unread extends Json {
  unread_message_ids: number[]
}

export interface UnreadMessages extends Json {
  count: number
  pms: (Unread & { other_user_id: number; sender_id: number })[]
  streams: (Unread & { stream_id: number; topic: string })[]
  huddles: (Unread & { user_ids_string: string })[]
  mentions: number[]
  /** A client's own: how unread messages mention the user. What was registered is personal to it. */
  kinds?: Record<number, MentionKind>
}

export type MentionKind = 'personal' | 'wildcard'

export interface Person extends Json {
  user_id: number
  email: string
  role: number
  profile_data?: Record<string, Json>
}

export interface Group extends Json {
  id: number
  members: number[]
  direct_subgroup_ids: number[]
}

/** What `POST /register` answers: the members that the reducers look into, among others. */
export interface State extends Json {
  /** What the client declared when it registered. */
  capabilities: Json
  user_id: number
  streams: Channel[]
  subscriptions: Channel[]
  unsubscribed: Channel[]
  never_subscribed: Channel[]
  unread_msgs: UnreadMessages
  starred_messages: number[]
  realm_users: Person[]
  realm_non_active_users: Person[]
  realm_user_groups: Group[]
}

/** Changes the state, which is the reducer's own copy. */
export type Reduce = (state: State, event: WireEvent) => void

/** A reducer of a resource whose events add, update and remove members of one list. */
export function listReducers(
  type: string,
  options: { list: string; key: string; one: string; many?: string },
): Record<string, Reduce> {
  const { list, key, one, many } = options
  const removed = `${one}_id`
  const items = (state: State) => state[list] as Json[]
  const others = (state: State, id: unknown) => items(state).filter((item) => item[key] !== id)
  const add: Reduce = (state, event) => {
    const added = many ? (event[many] as Json[]) : [event[one] as Json]
    for (const item of added) {
      assert.ok(!items(state).some((known) => known[key] === item[key]), `${type}: added twice`)
      state[list] = [...items(state), item]
    }
  }
  return {
    [`${type}/add`]: add,
    [`${type}/update`](state, event) {
      const item = event[one] as Json
      assert.ok(
        items(state).some((known) => known[key] === item[key]),
        `${type}: unknown`,
      )
      state[list] = [...others(state, item[key]), item]
    },
    [`${type}/remove`](state, event) {
      assert.ok(
        items(state).some((known) => known[key] === event[removed]),
        `${type}: unknown`,
      )
      state[list] = others(state, event[removed])
    },
  }
}

export const without = <T>(list: readonly T[], gone: readonly T[]): T[] =>
  list.filter((item) => !gone.includes(item))

export const withAll = (list: readonly number[], added: readonly number[]): number[] =>
  [...new Set([...list, ...added])].sort((a, b) => a - b)
