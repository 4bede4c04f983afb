import { publicPart, type StatePart } from '#platform/events/state.ts'
import type { Members } from '#platform/shape.ts'
import * as shape from '#platform/shape.ts'

/** A part of the state that always is the same. */
const fixed = (type: string, values: object, members: Members): StatePart =>
  publicPart({ types: [type], members, read: () => values })

const nothing = shape.list(shape.anything)

/**
 * The state of features that clients expect but this server lacks, such as billing. Remove
 * the line of a feature when adding it.
 *
 * @source Zulip API, "Register an event queue" (feature level 421)
 */
export const unsupportedState: readonly StatePart[] = [
  fixed(
    'realm_billing',
    { realm_billing: { has_pending_sponsorship_request: false } },
    {
      realm_billing: shape.named('RealmBilling', {
        has_pending_sponsorship_request: shape.boolean,
      }),
    },
  ),
  fixed('realm_embedded_bots', { realm_embedded_bots: [] }, { realm_embedded_bots: nothing }),
  // The search index has no stop words.
  fixed('stop_words', { stop_words: [] }, { stop_words: shape.list(shape.string) }),
]
