import type { EventNamed } from '#client/api/wire.ts'
import { derivePermissions } from './permissions.ts'
import type { State } from './state.ts'
import type { Realm } from './store.ts'

function change(state: State, changes: Partial<Realm>): void {
  state.realm.value = { ...state.realm.peek(), ...changes }
}

/** A setting of the organization is `realm_name` in the register reply, with a few exceptions. */
export function updateRealm(state: State, { data }: EventNamed<'realm/update_dict'>): void {
  const realm = state.realm.peek()
  const changes = Object.entries(data).map(([name, value]) => {
    const member = `realm_${name}`
    return [member in realm ? member : name, value]
  })
  change(state, Object.fromEntries(changes))
  derivePermissions(state)
}

export function changeUserDefault(
  state: State,
  { property, value }: EventNamed<'realm_user_settings_defaults/update'>,
): void {
  const { realm_user_settings_defaults: defaults } = state.realm.peek()
  change(state, { realm_user_settings_defaults: { ...defaults, [property]: value } })
}

export function changeVersion(state: State, event: EventNamed<'restart'>): void {
  const { zulip_version, zulip_merge_base, zulip_feature_level, server_generation } = event
  change(state, { zulip_version, zulip_merge_base, zulip_feature_level, server_generation })
}

export function changeOnboardingSteps(state: State, event: EventNamed<'onboarding_steps'>): void {
  change(state, { onboarding_steps: event.onboarding_steps })
}

export function changeZoomToken(state: State, { value }: EventNamed<'has_zoom_token'>): void {
  change(state, { has_zoom_token: value })
}

export function changeQuietTimes(state: State, event: EventNamed<'quiet_times'>): void {
  change(state, { quiet_times: event.quiet_times })
}

export function changeLinkifiers(state: State, event: EventNamed<'realm_linkifiers'>): void {
  change(state, { realm_linkifiers: event.realm_linkifiers })
}

export function changePlaygrounds(state: State, event: EventNamed<'realm_playgrounds'>): void {
  change(state, { realm_playgrounds: event.realm_playgrounds })
}

export function addDomain(state: State, { realm_domain }: EventNamed<'realm_domains/add'>): void {
  change(state, { realm_domains: [...otherDomains(state, realm_domain.domain), realm_domain] })
}

export function removeDomain(state: State, { domain }: EventNamed<'realm_domains/remove'>): void {
  change(state, { realm_domains: otherDomains(state, domain) })
}

function otherDomains(state: State, domain: string): Realm['realm_domains'] {
  return state.realm.peek().realm_domains.filter((one) => one.domain !== domain)
}

export function replaceEmoji(state: State, event: EventNamed<'realm_emoji/update'>): void {
  change(state, { realm_emoji: event.realm_emoji })
}

export function addEmoji(state: State, { emoji }: EventNamed<'realm_emoji/add'>): void {
  change(state, { realm_emoji: { ...state.realm.peek().realm_emoji, [emoji.id]: emoji } })
}

export function updateEmoji(state: State, event: EventNamed<'realm_emoji/update_one'>): void {
  const all = state.realm.peek().realm_emoji
  const known = all[event.emoji_id]
  if (!known) return
  change(state, { realm_emoji: { ...all, [event.emoji_id]: { ...known, ...event.data } } })
}
