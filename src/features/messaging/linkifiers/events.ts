import { isExtended } from '#platform/events/extended.ts'
import type { VariantEvent, WireEvent } from '#platform/events/types.ts'
import { type LinkifierJson, linkifierJson } from './json.ts'
import type { Linkifier } from './queries.ts'

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
