import * as shape from '#platform/shape.ts'

/** @source Zulip API, "Get linkifiers" (feature levels 471, 478) */
export const linkifierShape = shape.named('Linkifier', {
  id: shape.integer,
  pattern: shape.noted(shape.string, 'In RE2 syntax, with named groups.'),
  url_template: shape.noted(shape.string, 'RFC 6570, with the names of the groups of the pattern.'),
  example_input: shape.noted(
    shape.nullable(shape.string),
    'A text that the pattern matches (feature level 471).',
  ),
  reverse_template: shape.noted(
    shape.nullable(shape.string),
    'Makes that text again of what the groups match (feature level 471).',
  ),
  alternative_url_templates: shape.noted(
    shape.list(shape.string),
    'Other addresses that lead to the same thing (feature level 478).',
  ),
})

export const linkifierEventShapes = [
  shape.event('RealmLinkifiersEvent', 'realm_linkifiers', {
    realm_linkifiers: shape.list(linkifierShape),
  }),
]
