import type { Shaped } from '#platform/shape.ts'
import type { Linkifier } from './queries.ts'
import type { linkifierShape } from './shapes.ts'

/** A linkifier on the wire. */
export type LinkifierJson = Shaped<typeof linkifierShape>

export function linkifierJson(linkifier: Linkifier): LinkifierJson {
  return {
    id: linkifier.id,
    pattern: linkifier.pattern,
    url_template: linkifier.urlTemplate,
    example_input: linkifier.exampleInput,
    reverse_template: linkifier.reverseTemplate,
    alternative_url_templates: linkifier.alternativeUrlTemplates,
  }
}
