import type { StatePart } from './state.ts'

/** A part of the state that is the same for everybody. */
const fixed = (type: string, members: object): StatePart => ({ types: [type], read: () => members })

/**
 * What clients ask for of things that this server does not have: nobody has scheduled a message
 * where messages cannot be scheduled. A slice that brings such a thing takes its line along.
 *
 * @source the API description of `POST /register`; api-changes §5, at feature level 421
 */
export const laterState: readonly StatePart[] = [
  fixed('giphy', { giphy_api_key: '' }),
  fixed('onboarding_steps', { onboarding_steps: [], navigation_tour_video_url: null }),
  fixed('push_device', { push_devices: {} }),
  fixed('realm_billing', { realm_billing: { has_pending_sponsorship_request: false } }),
  fixed('realm_embedded_bots', { realm_embedded_bots: [] }),
  fixed('realm_incoming_webhook_bots', { realm_incoming_webhook_bots: [] }),
  fixed('reminders', { reminders: [] }),
  fixed('scheduled_messages', { scheduled_messages: [] }),
  // Every word can be searched for.
  fixed('stop_words', { stop_words: [] }),
  fixed('video_calls', { has_zoom_token: false }),
]
