import type { VariantEvent, WireEvent } from '#events/types.ts'
import type { LinkifierJson } from './json.ts'

/** All linkifiers, in their order, after any of them changed. */
export interface LinkifiersEvent extends WireEvent {
  type: 'realm_linkifiers'
  realm_linkifiers: LinkifierJson[]
}

/**
 * For clients that know URL templates; there is nothing to tell others.
 *
 * @source the API description's `realm_linkifiers` (feature level 176)
 */
export function linkifiersEvent(realm_linkifiers: LinkifierJson[]): VariantEvent {
  return {
    type: 'realm_linkifiers',
    variant: ({ traits }) => (traits.capabilities.has('linkifier_url_template') ? '' : undefined),
    build: (): LinkifiersEvent => ({ type: 'realm_linkifiers', realm_linkifiers }),
  }
}
