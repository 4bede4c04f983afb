import type { Endpoint } from '#platform/http/endpoint.ts'
import type { Section } from './sections.ts'

/** The path of the document, below `/api/v1`. */
export const documentPath = '/openapi.json'

/** An endpoint with its export name and its section of the API description. */
export interface ListedEndpoint {
  readonly section: Section
  readonly name: string
  readonly endpoint: Endpoint
}

/** Endpoints that are one operation in OpenAPI: their paths differ only in parameter names. */
export interface PathEntry {
  /** With the parameters in braces. */
  readonly path: string
  /** One endpoint, or several with different path parameters. */
  readonly alternatives: readonly [ListedEndpoint, ...ListedEndpoint[]]
  /** The document's names for the path parameters, by each endpoint's own name. */
  readonly renamed: ReadonlyMap<string, string>
}

/** Groups endpoints into operations, with one name for each path. */
export function pathEntries(listed: readonly ListedEndpoint[]): PathEntry[] {
  const byShape = grouped(listed, ({ endpoint }) => endpoint.path.replace(parameter, '{}'))
  return [...byShape.values()].flatMap((same) => {
    const names = same.map(({ endpoint }) => pathParameters(endpoint))
    const joint = (names[0] ?? []).map((_, i) =>
      [...new Set(names.map((each) => each[i] ?? ''))].join('_or_'),
    )
    const renamed = new Map(
      names.flatMap((each) => each.map((name, i) => [name, joint[i] ?? name])),
    )
    const byMethod = grouped(same, ({ endpoint }) => endpoint.method)
    return [...byMethod.values()].map((alternatives) => ({
      path: openPath(same[0]?.endpoint.path ?? '', renamed),
      alternatives: alternatives as [ListedEndpoint, ...ListedEndpoint[]],
      renamed,
    }))
  })
}

/** The names of an endpoint's path parameters, from left to right. */
export function pathParameters({ path }: Endpoint): string[] {
  return [...path.matchAll(parameter)].map(([, name = '']) => name)
}

function openPath(path: string, renamed: ReadonlyMap<string, string>): string {
  return path.replace(parameter, (_, name: string) => `{${renamed.get(name) ?? name}}`)
}

function grouped<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item])
  return groups
}

const parameter = /:(\w+)(?:\{[^}]*(?:\}|$))?/g
