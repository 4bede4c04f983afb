import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { errorStatus } from '#platform/errors.ts'
import { sampleCalls } from '#test/support/calls/calls.ts'
import { pixel, type SampleCall } from '#test/support/calls/sample-call.ts'
import { draw } from '#test/support/drawing.ts'
import { differentEndpoints } from '#test/support/endpoints.ts'
import { basicAuth } from '#test/support/files.ts'
import { startServer } from '#test/support/server.ts'
import { digestOf } from '#test/support/stored.ts'

// Neither answers: what is sent there comes later, and is of no matter here.
const nowhere = { smtpUrl: 'smtp://127.0.0.1:9', pushServiceUrl: 'http://org:key@127.0.0.1:9' }
const server = await startServer({ config: nowhere })
after(server.close)

const digest = digestOf(server)
const samples = sampleCalls(server)

/** What is sent as one parameter, escaped for a form. Those that no parameter takes come first. */
const poison: Readonly<Record<string, string>> = {
  NUL: 'a%00b',
  'an escaped NUL': encodeURIComponent('"a\\u0000b"'),
  'a lone surrogate': '%ED%A0%80',
  'an escaped lone surrogate': encodeURIComponent('"\\ud800"'),
  'bad UTF-8': '%FF%FE',
  'half an escape': '%',
  'a megabyte': 'x'.repeat(1024 * 1024),
}
const strange: Readonly<Record<string, string>> = {
  'deep lists': encodeURIComponent('['.repeat(20_000)),
  'deep closed lists': encodeURIComponent('['.repeat(2000) + ']'.repeat(2000)),
  'deep objects': encodeURIComponent(`${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`),
  ['__proto__']: '__proto__',
  constructor: 'constructor',
  toString: 'toString',
  'a __proto__ key': encodeURIComponent('{"__proto__":{"role":100}}'),
  'a constructor key': encodeURIComponent('{"constructor":{"prototype":{"role":100}}}'),
  'a list of toString': encodeURIComponent('["toString"]'),
  'a list of __proto__': encodeURIComponent('[{"__proto__":[]}]'),
  'a huge integer': '9'.repeat(400),
  'more than is safe': '9007199254740993',
  'a list of what is not safe': encodeURIComponent('[9007199254740993]'),
  'minus one': '-1',
  'a list of minus one': encodeURIComponent('[-1]'),
  'a fraction': '1.5',
  NaN: 'NaN',
  infinity: '1e999',
  nothing: '',
  null: 'null',
  'an empty list': encodeURIComponent('[]'),
  'a list of null': encodeURIComponent('[null]'),
  'an empty object': encodeURIComponent('{}'),
}

type Endpoint = ReturnType<typeof differentEndpoints>[number]['endpoint']

const encoded = (value: unknown) =>
  encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))

function upload(): FormData {
  const files = new FormData()
  files.set('file', new File([pixel], 'dot.png', { type: 'image/png' }))
  return files
}

interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
}

type Call = (replaced?: Readonly<Record<string, string>>, further?: string) => Promise<Answer>

/** Calls an endpoint with the sample's parameters, some of them replaced by what is already escaped. */
function caller(endpoint: Endpoint, sample: SampleCall): Call {
  const usualParams = Object.fromEntries(
    Object.entries(sample.params ?? {}).map(([name, value]) => [name, encoded(value)]),
  )
  const method = endpoint.method.toUpperCase()
  const inQuery = method === 'GET' || sample.picture || sample.body
  const headers = {
    ...basicAuth(server, sample.as ?? 'owner'),
    ...(!inQuery && { 'content-type': 'application/x-www-form-urlencoded' }),
    ...sample.headers,
  }
  return async (replaced = {}, further = '') => {
    const params: Record<string, string> = { ...usualParams, ...replaced }
    const path = endpoint.path.replace(/:(\w+)(\{[^}]*\})?/g, (_, name: string) => {
      const value = params[name] ?? ''
      delete params[name]
      return value
    })
    const pairs = Object.entries(params).map(([name, value]) => `${name}=${value}`)
    const form = [...pairs, ...(further ? [further] : [])].join('&')
    const url = `${server.url}/api/v1${path}${inQuery && form ? `?${form}` : ''}`
    const body = sample.picture ? upload() : sample.body ? JSON.stringify(sample.body) : form
    const request = new Request(url, { method, headers, ...(method !== 'GET' && { body }) })
    const response = await server.server.fetch(request)
    return {
      status: response.status,
      body: (await response.json()) as Record<string, unknown>,
    }
  }
}

/** Codes that any endpoint may answer to what it cannot take. */
const usual: (keyof typeof errorStatus)[] = [
  'BAD_REQUEST',
  'REQUEST_VARIABLE_MISSING',
  'REQUEST_TOO_LARGE',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'RATE_LIMIT_HIT',
]

const values = Object.entries({ ...poison, ...strange })

/** What is wrong with the answer to a hostile value; undefined if nothing. */
async function complaint(
  endpoint: Endpoint,
  name: string,
  what: string,
  ask: () => Promise<Answer>,
  mayTake: boolean,
): Promise<string | undefined> {
  // What earlier calls caused is to be over.
  await server.server.settled()
  const before = digest()
  const { status, body } = await ask()
  const said = `${name} = ${what}: ${status} ${JSON.stringify(body).slice(0, 200)}`
  if (body.result === 'success') return mayTake && status === 200 ? undefined : said
  const code = body.code as keyof typeof errorStatus
  if (body.result !== 'error' || typeof body.msg !== 'string' || body.msg === '') return said
  if (errorStatus[code] !== status || status === 500) return said
  const declared: string[] = [...usual, ...(endpoint.errors ?? [])]
  if (endpoint.access === 'key') declared.push('INVALID_API_KEY', 'UNAUTHORIZED')
  if (!declared.includes(code)) return `${said} (undeclared)`
  if (digest() !== before) return `${said} (changed)`
  return undefined
}

const keyOf = (endpoint: Endpoint) => `${endpoint.method.toUpperCase()} ${endpoint.path}`

/** After which there is nothing left to call. */
const isLast = (endpoint: Endpoint) => keyOf(endpoint) === 'POST /realm/deactivate'

const endpoints = differentEndpoints().map(({ endpoint }) => endpoint)
endpoints.sort((a, b) => Number(isLast(a)) - Number(isLast(b)))

for (const endpoint of endpoints) {
  const key = keyOf(endpoint)
  test(key, async () => {
    const makeSample = samples[key]
    assert.ok(makeSample, 'has a call in support/calls/')
    const sample = await makeSample()
    const call = caller(endpoint, sample)
    const complaints: string[] = []
    for (const [name, { encoding }] of Object.entries(endpoint.params)) {
      const isFree = sample.free?.includes(name) === true
      const takes = sample.takes?.[name] ?? []
      const inPath = endpoint.path.includes(`:${name}`)
      for (const [what, value] of draw(values, 1 / 6, `${key} ${name}`)) {
        const isUsual = name in (sample.params ?? {}) && value === encoded(sample.params?.[name])
        if (isUsual || (inPath && value === '')) continue
        const isText = encoding === 'text' && what.startsWith('an escaped')
        const mayTake = Object.hasOwn(poison, what)
          ? isText && isFree
          : isFree || takes.includes(what)
        const ask = () => call({ [name]: value })
        const found = await complaint(endpoint, name, what, ask, mayTake)
        if (found) complaints.push(found)
      }
      if (!inPath) {
        const twice = () => call({ [name]: 'a' }, `${name}=b`)
        const found = await complaint(endpoint, name, 'two values', twice, false)
        if (found) complaints.push(found)
      }
    }
    assert.equal(complaints.join('\n'), '')
    const names = ['__proto__', 'constructor', 'toString']
    const further = names.map((name) => `${name}=1`).join('&')
    // Another one: what has been taken may have used up the first.
    const { status, body } = await caller(endpoint, await makeSample())({}, further)
    if (sample.fails) {
      assert.equal(body.code, sample.fails)
      return
    }
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(body.ignored_parameters_unsupported, names)
  })
}
