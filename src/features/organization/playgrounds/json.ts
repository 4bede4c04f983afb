import type { Shaped } from '#platform/shape.ts'
import type { Playground } from './queries.ts'
import type { playgroundShape } from './shapes.ts'

/** A playground on the wire. */
export type PlaygroundJson = Shaped<typeof playgroundShape>

export function playgroundJson(playground: Playground): PlaygroundJson {
  const { id, name, language, urlTemplate } = playground
  return { id, name, pygments_language: language, url_template: urlTemplate }
}
