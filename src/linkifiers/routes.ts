import { endpoint } from '#http/endpoint.ts'
import { int, ints, json, optional, text, textArray } from '#http/params.ts'
import { integer, list } from '#shape.ts'
import * as actions from './actions.ts'
import { linkifierJson } from './json.ts'
import * as rows from './queries.ts'
import { linkifierShape } from './shapes.ts'

/** The longest pattern, template or example, in UTF-16 units. */
const longest = 1000

const linkifierParams = {
  pattern: text(longest),
  url_template: text(longest),
  example_input: optional(text(longest)),
  reverse_template: optional(text(longest)),
  alternative_url_templates: optional(json(textArray(50, longest))),
}

type Given = {
  pattern: string
  url_template: string
  example_input: string | undefined
  reverse_template: string | undefined
  alternative_url_templates: string[] | undefined
}

const changes = (p: Given): actions.LinkifierChanges => ({
  pattern: p.pattern,
  urlTemplate: p.url_template,
  exampleInput: p.example_input,
  reverseTemplate: p.reverse_template,
  alternativeUrlTemplates: p.alternative_url_templates,
})

/** @source the API description of `GET /realm/linkifiers`; api-changes §6 */
export const listLinkifiers = endpoint({
  method: 'get',
  path: '/realm/linkifiers',
  summary: 'List what is made into links, in order: where two match, the first wins.',
  reply: { linkifiers: list(linkifierShape) },
  params: {},
  run: (caller) => ({ linkifiers: rows.listLinkifiers(caller.store).map(linkifierJson) }),
})

/** @source the API description of `POST /realm/filters`; api-changes §3d */
export const addLinkifier = endpoint({
  method: 'post',
  path: '/realm/filters',
  summary: 'Add a linkifier behind all others.',
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: { id: integer },
  params: linkifierParams,
  run: (caller, p) =>
    caller.store.write((tx) => ({ id: actions.addLinkifier(tx, caller, changes(p)) })),
})

/** @source the API description of `PATCH /realm/filters/{filter_id}`; api-changes §3d */
export const editLinkifier = endpoint({
  method: 'patch',
  path: '/realm/filters/:filter_id{[0-9]+}',
  summary: 'Change a linkifier in its place.',
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: {},
  params: { filter_id: int(), ...linkifierParams },
  run: (caller, p) =>
    caller.store.write((tx) => actions.editLinkifier(tx, caller, p.filter_id, changes(p))),
})

/** @source the API description of `DELETE /realm/filters/{filter_id}` */
export const removeLinkifier = endpoint({
  method: 'delete',
  path: '/realm/filters/:filter_id{[0-9]+}',
  summary: 'Remove a linkifier.',
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: {},
  params: { filter_id: int() },
  run: (caller, p) => caller.store.write((tx) => actions.removeLinkifier(tx, caller, p.filter_id)),
})

/** @source the API description of `PATCH /realm/linkifiers` (feature level 202) */
export const reorderLinkifiers = endpoint({
  method: 'patch',
  path: '/realm/linkifiers',
  summary: 'Put all linkifiers into an order.',
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: {},
  params: { ordered_linkifier_ids: ints() },
  run: (caller, p) =>
    caller.store.write((tx) => actions.reorderLinkifiers(tx, caller, p.ordered_linkifier_ids)),
})
