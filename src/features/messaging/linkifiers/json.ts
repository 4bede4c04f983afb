import type { Shaped } from '#platform/shape.ts'
import type { Linkifier } from './queries.ts'
import type { linkifierShape } from './shapes.ts'

/** A linkifier on the wire. */
export type LinkifierJson = Shaped<typeof linkifierShape>

/** @param extended whether the client asked for `extended_members` */
export function linkifierJson(linkifier: Linkifier, extended: boolean): LinkifierJson {
  const plain = {
    id: linkifier.id,
    pattern: linkifier.pattern,
    url_template: linkifier.urlTemplate,
  }
  if (!extended) return plain
  return {
    ...plain,
    example_input: linkifier.exampleInput,
    reverse_template: linkifier.reverseTemplate,
    alternative_url_templates: linkifier.alternativeUrlTemplates,
  }
}
