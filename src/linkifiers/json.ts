import type { Linkifier } from './queries.ts'

/** A linkifier on the wire. @source the API description of `GET /realm/linkifiers` */
export interface LinkifierJson {
  id: number
  pattern: string
  url_template: string
}

export function linkifierJson({ id, pattern, urlTemplate }: Linkifier): LinkifierJson {
  return { id, pattern, url_template: urlTemplate }
}
