import type { EventNamed } from '#client/api/wire.ts'
import { topicConversation, topicPolicyFromWire } from './from-wire.ts'
import { conversationKey } from './model.ts'
import type { State } from './state.ts'
import type { FetchedList } from './store.ts'

export function changeSetting(state: State, event: EventNamed<'user_settings/update'>): void {
  state.settings.value = { ...state.settings.peek(), [event.property]: event.value }
}

export function changeTopicPolicy(state: State, event: EventNamed<'user_topic'>): void {
  const key = conversationKey(topicConversation(event.stream_id, event.topic_name))
  // A policy can follow a topic into a channel that the user does not see.
  const isKnown = state.channels.has(event.stream_id)
  if (event.visibility_policy === 0 || !isKnown) state.topicPolicies.delete(key)
  else state.topicPolicies.set(key, topicPolicyFromWire(event))
}

export function changeAlertWords(state: State, event: EventNamed<'alert_words'>): void {
  state.alertWords.value = event.alert_words
}

/** The handler for events about lists that only settings fetch. */
export function changeList(list: FetchedList): (state: State) => void {
  return ({ revisions }) => revisions.set(list, (revisions.peek(list) ?? 0) + 1)
}

export function addNavigationView(state: State, event: EventNamed<'navigation_view/add'>): void {
  state.navigationViews.set(event.navigation_view.fragment, event.navigation_view)
}

export function updateNavigationView(
  state: State,
  { fragment, data }: EventNamed<'navigation_view/update'>,
): void {
  state.navigationViews.update(fragment, (view) => Object.assign({ ...view }, data))
}

export function removeNavigationView(
  state: State,
  event: EventNamed<'navigation_view/remove'>,
): void {
  state.navigationViews.delete(event.fragment)
}
