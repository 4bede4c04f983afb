import * as shape from '#platform/shape.ts'

/** @source Zulip API, "Register an event queue": `realm_playgrounds` */
export const playgroundShape = shape.named('RealmPlayground', {
  id: shape.integer,
  name: shape.string,
  pygments_language: shape.noted(
    shape.string,
    'The Pygments name of the language, as in code blocks.',
  ),
  url_template: shape.noted(shape.string, 'An RFC 6570 template with one variable, `code`.'),
})

export const playgroundEventShapes = [
  shape.event('RealmPlaygroundsEvent', 'realm_playgrounds', {
    realm_playgrounds: shape.list(playgroundShape),
  }),
]
