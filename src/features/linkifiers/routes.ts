import { endpoint } from '#platform/http/endpoint.ts'
import { int, ints, json, optional, text, textArray } from '#platform/http/params.ts'
import { limitsText } from '#platform/quotas/room.ts'
import * as shape from '#platform/shape.ts'
import * as actions from './actions.ts'
import { linkifierJson } from './json.ts'
import * as rows from './queries.ts'
import { linkifierQuota } from './quotas.ts'
import { linkifierShape } from './shapes.ts'

/** The maximum length of a pattern, template or example, in UTF-16 units. */
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

/** @source Zulip API, "Get linkifiers" */
export const listLinkifiers = endpoint({
  method: 'get',
  path: '/realm/linkifiers',
  summary: 'List the linkifiers in order: if several match the same text, the first wins.',
  reply: { linkifiers: shape.list(linkifierShape) },
  params: {},
  run: (caller) => ({ linkifiers: rows.listLinkifiers(caller.store).map(linkifierJson) }),
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
  summary: 'Change a linkifier; its position stays.',
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
