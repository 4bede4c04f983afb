import { anything, boolean, list, type Members, named, nullable, string } from '#shape.ts'
import type { StatePart } from './state.ts'

/** A part of the state that is the same for everybody. */
const fixed = (type: string, members: object, shape: Members): StatePart => ({
  types: [type],
  shape,
  read: () => members,
})

const nothing = list(anything)

/**
 * What clients ask for of things that this server does not have: nobody has scheduled a message
 * where messages cannot be scheduled. A slice that brings such a thing takes its line along.
 *
 * @source the API description of `POST /register`; api-changes §5, at feature level 421
 */
export const laterState: readonly StatePart[] = [
  fixed('giphy', { giphy_api_key: '' }, { giphy_api_key: string }),
  fixed(
    'onboarding_steps',
    { onboarding_steps: [], navigation_tour_video_url: null },
    { onboarding_steps: nothing, navigation_tour_video_url: nullable(string) },
  ),
  fixed(
    'realm_billing',
    { realm_billing: { has_pending_sponsorship_request: false } },
    { realm_billing: named('RealmBilling', { has_pending_sponsorship_request: boolean }) },
  ),
  fixed('realm_embedded_bots', { realm_embedded_bots: [] }, { realm_embedded_bots: nothing }),
  // Every word can be searched for.
  fixed('stop_words', { stop_words: [] }, { stop_words: list(string) }),
  fixed('video_calls', { has_zoom_token: false }, { has_zoom_token: boolean }),
]
