import { extendedHeader } from '#platform/http/extended-errors.ts'
import { featureLevel, zulipVersion } from '#platform/version.ts'
import { operation } from './operations.ts'
import { documentPath, type ListedEndpoint, pathEntries } from './paths.ts'
import { sharedFailures } from './responses.ts'
import type { NamedSchemas } from './schemas.ts'
import type { ApiDocument, Operation } from './types.ts'

const description = `Parley speaks the Zulip HTTP API.

Parameters are sent as a query string with GET and DELETE, and as a form otherwise. Arrays and \
objects are JSON text in one parameter. Every answer is a JSON object with \`result\` and \`msg\`; \
errors also have a \`code\`. With the request header \`${extendedHeader}\`, errors also say which \
parameter they are about, and have \`msg\` in a form that can be translated.`

/** Makes the OpenAPI document for these endpoints. */
export function apiDocument(listed: readonly ListedEndpoint[]): ApiDocument {
  const found: NamedSchemas = new Map()
  const paths: Record<string, Record<string, Operation>> = {}
  for (const entry of pathEntries(listed)) {
    const { method } = entry.alternatives[0].endpoint
    paths[entry.path] = { ...paths[entry.path], [method]: operation(entry, found) }
  }
  paths[documentPath] = { get: documentOperation }
  const responses = sharedFailures(found)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley',
      version: `${zulipVersion} (feature level ${featureLevel})`,
      description,
    },
    servers: [{ url: '/api/v1' }],
    security: [{ apiKey: [] }],
    tags: [...new Set(listed.map(({ section }) => section)), about].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'basic',
          description: 'The API email and API key of a user or bot.',
        },
        keyInAddress: {
          type: 'apiKey',
          in: 'query',
          name: 'api_key',
          description: 'The API key, for programs that can only post to a URL.',
        },
      },
      responses,
      schemas: Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  }
}

const about = 'About the API'

const documentOperation: Operation = {
  operationId: 'getApiDocument',
  tags: [about],
  summary: 'Returns this description of the API.',
  security: [],
  responses: {
    200: {
      description: 'An OpenAPI 3.1 document, without the `result` and `msg` of other replies.',
      content: { 'application/json': { schema: { type: 'object' } } },
    },
  },
}
