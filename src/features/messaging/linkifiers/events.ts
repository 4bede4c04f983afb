import { isExtended } from '#platform/events/extended.ts'
import type { VariantEvent } from '#platform/events/types.ts'
import type { EventOf } from '#platform/shape.ts'
import { linkifierJson } from './json.ts'
import type { Linkifier } from './queries.ts'
import type { linkifierEventShapes } from './shapes.ts'

/** All linkifiers in order, after one changed. */
export type LinkifiersEvent = EventOf<typeof linkifierEventShapes, 'realm_linkifiers'>

/**
 * Only clients with `linkifier_url_template` get this event; the others get no linkifiers at all.
 *
 * @source Zulip API, "Get events", type "realm_linkifiers" (feature level 176)
 */
export function linkifiersEvent(linkifiers: readonly Linkifier[]): VariantEvent {
  return {
    type: 'realm_linkifiers',
    variant: ({ traits }) =>
      traits.capabilities.has('linkifier_url_template') ? String(isExtended(traits)) : undefined,
    build: (_key, { traits }): LinkifiersEvent => ({
      type: 'realm_linkifiers',
      realm_linkifiers: linkifiers.map((linkifier) => linkifierJson(linkifier, isExtended(traits))),
    }),
  }
}
