import type { StatePart } from '#events/state.ts'
import { anything, list, noted } from '#shape.ts'
import { linkifierJson } from './json.ts'
import { listLinkifiers } from './queries.ts'
import { linkifierShape } from './shapes.ts'

/** @source the API description of `POST /register`, `linkifier_url_template` */
export const linkifiersState: StatePart = {
  types: ['realm_linkifiers'],
  shape: { realm_linkifiers: list(linkifierShape) },
  read({ store }, { capabilities }) {
    // Clients that do not know URL templates would make broken links of them.
    const understood = capabilities.has('linkifier_url_template')
    return { realm_linkifiers: understood ? listLinkifiers(store).map(linkifierJson) : [] }
  },
}

/** The form before URL templates: nothing here can be said in it, so it is always empty. */
export const filtersState: StatePart = {
  types: ['realm_filters'],
  shape: { realm_filters: noted(list(anything), 'Deprecated: always empty.') },
  read: () => ({ realm_filters: [] }),
}
