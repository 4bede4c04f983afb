import type { VariantEvent, WireEvent } from '#platform/events/types.ts'
import type { LinkifierJson } from './json.ts'

/** All linkifiers in order, after one changed. */
export interface LinkifiersEvent extends WireEvent {
  type: 'realm_linkifiers'
  realm_linkifiers: LinkifierJson[]
}

/**
 * Only clients with `linkifier_url_template` get this event; the others get no linkifiers at all.
 *
 * @source Zulip API, "Get events", type "realm_linkifiers" (feature level 176)
 */
export function linkifiersEvent(realm_linkifiers: LinkifierJson[]): VariantEvent {
  return {
    type: 'realm_linkifiers',
    variant: ({ traits }) => (traits.capabilities.has('linkifier_url_template') ? '' : undefined),
    build: (): LinkifiersEvent => ({ type: 'realm_linkifiers', realm_linkifiers }),
  }
}
