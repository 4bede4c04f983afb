import { event, integer, list, named, noted, string } from '#shape.ts'

/** @source the API description's `RealmPlayground` */
export const playgroundShape = named('RealmPlayground', {
  id: integer,
  name: string,
  pygments_language: noted(string, 'The name of the language, as code blocks carry it.'),
  url_template: noted(string, 'RFC 6570, with one variable, `code`.'),
})

export const playgroundEventShapes = [
  event('RealmPlaygroundsEvent', 'realm_playgrounds', { realm_playgrounds: list(playgroundShape) }),
]
