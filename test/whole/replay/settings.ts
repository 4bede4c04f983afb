import assert from 'node:assert/strict'
import { type Json, listReducers, type Reduce, type State } from './state.ts'

/** Reducers of what replaces a member of the state with one of the event. */
const replace =
  (member: string, from = member): Reduce =>
  (state, event) => {
    state[member] = event[from]
  }

const folders = (state: State) => state.channel_folders as Json[]
const views = (state: State) => state.navigation_views as Json[]
const domains = (state: State) => state.realm_domains as Json[]
const emoji = (state: State) => state.realm_emoji as Record<string, Json>

/** A setting of the organization is `realm_name` in the state, but for the few that are not. */
function setRealm(state: State, data: Json): void {
  for (const [name, value] of Object.entries(data)) {
    const member = `realm_${name}` in state ? `realm_${name}` : name
    assert.ok(member in state, `the state has ${member}`)
    state[member] = value
  }
}

const { 'reminders/update': _, ...reminderReducers } = listReducers('reminders', {
  list: 'reminders',
  key: 'reminder_id',
  one: 'reminder',
  many: 'reminders',
})

export const settingsReducers: Record<string, Reduce> = {
  alert_words: replace('alert_words'),
  custom_profile_fields(state, event) {
    const fields = event.fields as Json[]
    state.custom_profile_fields = fields
    // Values go with their fields.
    const ids = new Set(fields.map(({ id }) => String(id)))
    for (const { profile_data = {} } of [...state.realm_users, ...state.realm_non_active_users]) {
      for (const id of Object.keys(profile_data)) if (!ids.has(id)) delete profile_data[id]
    }
  },
  muted_topics: replace('muted_topics'),
  // Clients fetch what it is about.
  server_backups: () => {},
  onboarding_steps: replace('onboarding_steps'),
  realm_linkifiers: replace('realm_linkifiers'),
  realm_playgrounds: replace('realm_playgrounds'),
  'realm/update_dict': (state, event) => setRealm(state, event.data as Json),
  'realm_user_settings_defaults/update'(state, event) {
    const defaults = state.realm_user_settings_defaults as Json
    defaults[event.property as string] = event.value
  },
  'user_settings/update'(state, event) {
    const settings = state.user_settings as Json
    assert.ok((event.property as string) in settings)
    settings[event.property as string] = event.value
  },
  update_display_settings(state, event) {
    state[event.setting_name as string] = event.setting
  },
  update_global_notifications(state, event) {
    state[event.notification_name as string] = event.setting
  },
  user_topic(state, event) {
    const { stream_id, topic_name, last_updated, visibility_policy } = event
    const key = String(topic_name).toLowerCase()
    const rest = (state.user_topics as Json[]).filter(
      (one) => one.stream_id !== stream_id || String(one.topic_name).toLowerCase() !== key,
    )
    const policy = { stream_id, topic_name, last_updated, visibility_policy }
    state.user_topics = visibility_policy === 0 ? rest : [...rest, policy]
  },
  'channel_folder/add'(state, event) {
    state.channel_folders = [...folders(state), event.channel_folder]
  },
  'channel_folder/update'(state, event) {
    const folder = folders(state).find(({ id }) => id === event.channel_folder_id)
    assert.ok(folder)
    Object.assign(folder, event.data)
  },
  'channel_folder/reorder'(state, event) {
    const order = event.order as unknown[]
    for (const folder of folders(state)) folder.order = order.indexOf(folder.id)
  },
  'navigation_view/add'(state, event) {
    state.navigation_views = [...views(state), event.navigation_view]
  },
  'navigation_view/update'(state, event) {
    const view = views(state).find(({ fragment }) => fragment === event.fragment)
    assert.ok(view)
    Object.assign(view, event.data)
  },
  'navigation_view/remove'(state, event) {
    state.navigation_views = views(state).filter(({ fragment }) => fragment !== event.fragment)
  },
  'realm_domains/add'(state, event) {
    state.realm_domains = [...domains(state), event.realm_domain]
  },
  'realm_domains/change'(state, event) {
    const changed = event.realm_domain as Json
    const domain = domains(state).find((one) => one.domain === changed.domain)
    assert.ok(domain)
    Object.assign(domain, changed)
  },
  'realm_domains/remove'(state, event) {
    state.realm_domains = domains(state).filter(({ domain }) => domain !== event.domain)
  },
  'realm_emoji/update': replace('realm_emoji'),
  'realm_emoji/add'(state, event) {
    const added = event.emoji as Json
    emoji(state)[String(added.id)] = added
  },
  'realm_emoji/update_one'(state, event) {
    const changed = emoji(state)[String(event.emoji_id)]
    assert.ok(changed)
    Object.assign(changed, event.data)
  },
  ...listReducers('drafts', { list: 'drafts', key: 'id', one: 'draft', many: 'drafts' }),
  ...listReducers('saved_snippets', { list: 'saved_snippets', key: 'id', one: 'saved_snippet' }),
  ...listReducers('scheduled_messages', {
    list: 'scheduled_messages',
    key: 'scheduled_message_id',
    one: 'scheduled_message',
    many: 'scheduled_messages',
  }),
  ...reminderReducers,
  push_device(state, { type, id, push_account_id, ...device }) {
    const devices = state.push_devices as Json
    devices[String(push_account_id)] = device
  },
  // Nothing of these is part of the registered state.
  'attachment/add': () => {},
  'attachment/update': () => {},
  'attachment/remove': () => {},
  realm_export: () => {},
  realm_export_consent: () => {},
  invites_changed: () => {},
  'realm/deactivated': () => {},
  restart(state, { zulip_version, zulip_merge_base, zulip_feature_level }) {
    Object.assign(state, { zulip_version, zulip_merge_base, zulip_feature_level })
  },
  heartbeat: () => {},
}
