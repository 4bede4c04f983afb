import { event, integer, list, named, noted, nullable, string } from '#shape.ts'

/** @source api-changes §6, "Linkifier" */
export const linkifierShape = named('Linkifier', {
  id: integer,
  pattern: noted(string, 'In RE2 syntax, with named groups.'),
  url_template: noted(string, 'RFC 6570, with the names of the groups of the pattern.'),
  example_input: noted(nullable(string), 'A text that the pattern matches (feature level 471).'),
  reverse_template: noted(
    nullable(string),
    'Makes that text again of what the groups match (feature level 471).',
  ),
  alternative_url_templates: noted(
    list(string),
    'Other addresses that lead to the same thing (feature level 478).',
  ),
})

export const linkifierEventShapes = [
  event('RealmLinkifiersEvent', 'realm_linkifiers', { realm_linkifiers: list(linkifierShape) }),
]
