import { isExtended } from '#platform/events/extended.ts'
import { publicPart } from '#platform/events/state.ts'
import * as shape from '#platform/shape.ts'
import { linkifierJson } from './json.ts'
import { listLinkifiers } from './queries.ts'
import { linkifierShape } from './shapes.ts'

/** @source Zulip API, "Register an event queue": `linkifier_url_template` */
export const linkifiersState = publicPart({
  types: ['realm_linkifiers'],
  members: { realm_linkifiers: shape.list(linkifierShape) },
  read({ store }, { capabilities }) {
    // Clients that do not support URL templates would make broken links.
    const understood = capabilities.has('linkifier_url_template')
    const extended = isExtended({ capabilities })
    const linkifiers = understood
      ? listLinkifiers(store).map((linkifier) => linkifierJson(linkifier, extended))
      : []
    return { realm_linkifiers: linkifiers }
  },
})

/** The deprecated form of linkifiers. It cannot express URL templates, so it is always empty. */
export const filtersState = publicPart({
  types: ['realm_filters'],
  members: { realm_filters: shape.noted(shape.list(shape.anything), 'Deprecated: always empty.') },
  read: () => ({ realm_filters: [] }),
})
