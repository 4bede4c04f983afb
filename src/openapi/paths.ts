import type { Endpoint } from '#http/endpoint.ts'

/** An endpoint with the name it is exported under, and the part of the API it belongs to. */
export interface ListedEndpoint {
  readonly section: string
  readonly name: string
  readonly endpoint: Endpoint
}

/** The endpoints that OpenAPI knows as one, because their paths differ in a parameter's name only. */
export interface PathEntry {
  /** With the parameters in braces. */
  readonly path: string
  /** One endpoint, or several that differ in what their path parameter is. */
  readonly alternatives: readonly [ListedEndpoint, ...ListedEndpoint[]]
  /** What the document calls the path parameters that have several names. */
  readonly renamed: ReadonlyMap<string, string>
}

/** The endpoints as the operations of a document, each path under one name. */
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

const parameter = /:(\w+)(?:\{[^}]*\})?/g
