import { inputs } from './parameters.ts'
import type { PathEntry } from './paths.ts'
import { responses } from './responses.ts'
import type { NamedSchemas } from './schemas.ts'
import type { Operation, SecurityNeed } from './types.ts'

/** Describes an endpoint. @param found collects the named schemas */
export function operation(entry: PathEntry, found: NamedSchemas): Operation {
  const [{ section, name, endpoint }, ...others] = entry.alternatives
  const description = [endpoint, ...others.map((other) => other.endpoint)]
    .map((each) => each.description)
    .filter((text, i, all) => text !== undefined && all.indexOf(text) === i)
    .join('\n\n')
  return {
    operationId: name,
    tags: [section],
    summary: endpoint.summary,
    ...(description !== '' && { description }),
    ...(endpoint.deprecated && { deprecated: true }),
    ...(endpoint.access !== 'user' && { security: securityNeeds[endpoint.access] }),
    ...inputs(entry, found),
    responses: responses(endpoint, found),
  }
}

const securityNeeds: Readonly<Record<string, readonly SecurityNeed[]>> = {
  anyone: [],
  key: [{ keyInAddress: [] }],
  spectator: [{ apiKey: [] }, {}],
}
