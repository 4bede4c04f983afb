import * as shape from '#platform/shape.ts'

/** @source Zulip API, "Get linkifiers" (feature levels 471, 478) */
export const linkifierShape = shape.named('Linkifier', {
  id: shape.integer,
  pattern: shape.noted(shape.string, 'A regular expression in RE2 syntax, with named groups.'),
  url_template: shape.noted(
    shape.string,
    "An RFC 6570 template, whose variables are the pattern's groups.",
  ),
  example_input: shape.extended(
    shape.noted(
      shape.nullable(shape.string),
      'A text that the pattern matches, for the reverse template.',
    ),
    471,
  ),
  reverse_template: shape.extended(
    shape.noted(
      shape.nullable(shape.string),
      "A template that turns a URL's values back into text: `#{id}`.",
    ),
    471,
  ),
  alternative_url_templates: shape.extended(
    shape.noted(shape.list(shape.string), 'Templates of other URLs that mean the same.'),
    478,
  ),
})

/** A part of a text that a linkifier turns into a link. */
export const linkedTextShape = shape.named('LinkedText', {
  start: shape.noted(shape.integer, 'Where it begins, in UTF-16 code units.'),
  end: shape.noted(shape.integer, 'Where it ends.'),
  text: shape.string,
  url: shape.string,
})

export const linkifierEventShapes = [
  shape.event('RealmLinkifiersEvent', 'realm_linkifiers', {
    realm_linkifiers: shape.list(linkifierShape),
  }),
]
