import { requireAdministrator } from '#features/foundation/permissions/rules.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import {
  bool,
  described,
  int,
  ints,
  json,
  optional,
  text,
  textArray,
  type Values,
  withDefault,
} from '#platform/http/params.ts'
import { limitsText } from '#platform/quotas/room.ts'
import * as shape from '#platform/shape.ts'
import * as actions from './actions.ts'
import { linkifierJson } from './json.ts'
import * as rows from './queries.ts'
import { linkifierQuota } from './quotas.ts'
import { type LinkifierChanges, merge, newLinkifier, previewLinkifier } from './rules.ts'
import { linkedTextShape, linkifierShape } from './shapes.ts'

/** The maximum length of a pattern, template or example, in UTF-16 units. */
const longest = 1000

const linkifierParams = {
  pattern: text(longest),
  url_template: text(longest),
  example_input: optional(text(longest)),
  reverse_template: optional(text(longest)),
  alternative_url_templates: optional(json(textArray(50, longest))),
}

const changes = (p: Values<typeof linkifierParams>): LinkifierChanges => ({
  pattern: p.pattern,
  urlTemplate: p.url_template,
  exampleInput: p.example_input,
  reverseTemplate: p.reverse_template,
  alternativeUrlTemplates: p.alternative_url_templates,
})

/** @source Zulip API, "Get linkifiers" */
export const listLinkifiers = endpoint({
  method: 'get',
  path: '/realm/linkifiers',
  summary: 'List the linkifiers in order: if several match the same text, the first wins.',
  reply: { linkifiers: shape.list(linkifierShape) },
  params: { extended_members: withDefault(bool(), false) },
  run: ({ store }, p) => ({
    linkifiers: rows.listLinkifiers(store).map((row) => linkifierJson(row, p.extended_members)),
  }),
})

/** @source Zulip API, "Add a linkifier" */
export const addLinkifier = endpoint({
  method: 'post',
  path: '/realm/filters',
  summary: 'Add a linkifier at the end.',
  description: limitsText(linkifierQuota),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: { id: shape.integer },
  params: linkifierParams,
  run: (caller, p) =>
    caller.store.write((tx) => ({ id: actions.addLinkifier(tx, caller, changes(p)) })),
})

/** @source Zulip API, "Update a linkifier" */
export const editLinkifier = endpoint({
  method: 'patch',
  path: '/realm/filters/:filter_id{[0-9]+}',
  summary: 'Change a linkifier without moving it.',
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: {},
  params: { filter_id: int(), ...linkifierParams },
  run: (caller, p) =>
    caller.store.write((tx) => actions.editLinkifier(tx, caller, p.filter_id, changes(p))),
})

/** @source Zulip API, "Remove a linkifier" */
export const removeLinkifier = endpoint({
  method: 'delete',
  path: '/realm/filters/:filter_id{[0-9]+}',
  summary: 'Remove a linkifier.',
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: {},
  params: { filter_id: int() },
  run: (caller, p) => caller.store.write((tx) => actions.removeLinkifier(tx, caller, p.filter_id)),
})

/** @source Zulip API, "Reorder linkifiers" (feature level 202) */
export const reorderLinkifiers = endpoint({
  method: 'patch',
  path: '/realm/linkifiers',
  summary: 'Reorder the linkifiers.',
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: {},
  params: { ordered_linkifier_ids: ints(1000) },
  run: (caller, p) =>
    caller.store.write((tx) => actions.reorderLinkifiers(tx, caller, p.ordered_linkifier_ids)),
})

/** For forms, which show what a linkifier does while it is typed. An endpoint of Parley's own. */
export const previewOfLinkifier = endpoint({
  method: 'post',
  path: '/realm/linkifiers/preview',
  summary: 'Try a linkifier on its example input without saving it.',
  description: 'Not part of the Zulip API.',
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: {
    problem: shape.noted(
      shape.nullable(shape.string),
      'The reason why the linkifier would be rejected; null if it would be accepted.',
    ),
    links: shape.noted(
      shape.list(linkedTextShape),
      'The parts of the example input that become links.',
    ),
  },
  params: {
    filter_id: described(optional(int()), 'The linkifier that is being changed.'),
    ...linkifierParams,
  },
  run(caller, p) {
    requireAdministrator(caller.user)
    return previewLinkifier(caller.store, merge(newLinkifier, changes(p)), p.filter_id)
  },
})
