import assert from 'node:assert/strict'
import { errorStatus } from '#platform/errors.ts'
import type { Endpoint } from '#platform/http/endpoint.ts'
import type { SampleCall, SampleCalls } from '#test/support/calls/sample-call.ts'
import { differentEndpoints } from '#test/support/endpoints.ts'
import type { CallParams, TestServer } from '#test/support/server.ts'
import { workOf } from './work.ts'

export const keyOf = ({ method, path }: Endpoint) => `${method.toUpperCase()} ${path}`

/** After which there is nothing left to call. */
const isLast = (endpoint: Endpoint) => keyOf(endpoint) === 'POST /realm/deactivate'

/** Every endpoint with parameters, with its section of the API description. */
export function listWithParams(): { readonly section: string; readonly endpoint: Endpoint }[] {
  return differentEndpoints()
    .filter(({ endpoint }) => Object.keys(endpoint.params).length > 0)
    .sort((a, b) => Number(isLast(a.endpoint)) - Number(isLast(b.endpoint)))
}

interface Answer {
  readonly status: number
  readonly code: string | undefined
  readonly msg: string
  readonly result: string
  /** Statements and rows. */
  readonly work: number
}

/** Calls an endpoint with the parameters of a sample, some of them replaced. */
async function ask(
  server: TestServer,
  endpoint: Endpoint,
  sample: SampleCall,
  replaced: CallParams,
): Promise<Answer> {
  const request = requestOf(server, endpoint, sample, { ...sample.params, ...replaced })
  let status = 0
  let source = ''
  const work = await workOf(server, async () => {
    const response = await server.server.fetch(request)
    status = response.status
    source = await response.text()
  })
  return { ...(JSON.parse(source) as Omit<Answer, 'work' | 'status'>), status, work }
}

function requestOf(
  server: TestServer,
  endpoint: Endpoint,
  sample: SampleCall,
  given: CallParams,
): Request {
  const params = new Map(
    Object.entries(given)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
  const path = endpoint.path.replace(/:(\w+)(\{[^}]*\})?/g, (_, name: string) => {
    const value = params.get(name) ?? ''
    params.delete(name)
    return encodeURIComponent(value)
  })
  const form = [...params].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
  const { email, apiKey } = server.as(sample.as ?? 'owner')
  const inQuery = endpoint.method === 'get' || sample.body !== undefined
  const body = sample.body ? JSON.stringify(sample.body) : form
  return new Request(`${server.url}/api/v1${path}${inQuery ? `?${form}` : ''}`, {
    method: endpoint.method.toUpperCase(),
    headers: {
      authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`,
      'content-type': sample.body ? 'application/json' : 'application/x-www-form-urlencoded',
      'content-length': String(body.length),
      ...sample.headers,
    },
    ...(endpoint.method !== 'get' && { body }),
  })
}

/** A function that calls an endpoint, each time with a sample that no call has used up. */
export function caller(server: TestServer, samples: SampleCalls, endpoint: Endpoint) {
  let sample: SampleCall | undefined
  return async (what: string, replaced: CallParams): Promise<Answer> => {
    // What is refused changes nothing, so the sample is good for the next call.
    sample ??= await samples[keyOf(endpoint)]?.()
    assert.ok(sample, `${keyOf(endpoint)} has a call in support/calls/`)
    const answer = await ask(server, endpoint, sample, replaced)
    assertDeclared(what, endpoint, answer)
    if (answer.result !== 'success') return answer
    sample = undefined
    await server.settled()
    return answer
  }
}

/** Codes that any endpoint may answer to what it cannot take. */
const usual: string[] = [
  'BAD_REQUEST',
  'REQUEST_VARIABLE_MISSING',
  'REQUEST_TOO_LARGE',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'UNAUTHORIZED',
  'INVALID_API_KEY',
]

/** Requires that an error is one that the endpoint declares, with its status. */
function assertDeclared(what: string, endpoint: Endpoint, { status, code }: Answer): void {
  if (code === undefined) return
  assert.equal(errorStatus[code as keyof typeof errorStatus], status, what)
  assert.ok([...usual, ...(endpoint.errors ?? [])].includes(code), `${what}: ${code}`)
  assert.notEqual(status, 500, what)
}
