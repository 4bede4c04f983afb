import { type Api, CallError, type CallOptions, type CallParams } from './api.ts'

interface Reply extends Record<string, unknown> {
  readonly result?: unknown
  readonly msg?: unknown
  readonly code?: unknown
}

/**
 * The API by `fetch`, with the session's cookie, which scripts cannot read, and with its CSRF
 * token, which they can.
 *
 * @param onRefused gets the code of every refusal, because the session may be over
 */
export function createApi(onRefused: (code: string) => void = () => {}): Api {
  async function call<T>(
    method: string,
    path: string,
    params: CallParams = {},
    { signal, isLast }: CallOptions = {},
  ): Promise<T> {
    const { url, init } = requestOf(method, path, params)
    if (isLast) init.keepalive = true
    let response: Response
    let reply: Reply
    try {
      response = await (takeAhead(url, init) ?? fetch(url, { ...init, ...(signal && { signal }) }))
      reply = (await response.json()) as Reply
    } catch (error) {
      // A broken connection or a proxy's own page is not an answer.
      if (signal?.aborted) throw new CallError('The call was given up.', 'ABORTED', 0)
      throw new CallError(String(error), 'NETWORK', 0)
    }
    if (response.ok && reply.result === 'success') return reply as T
    const refusal = refusalOf(response, reply)
    onRefused(refusal.code)
    throw refusal
  }

  return {
    get: (path, params, options) => call('GET', path, params, options),
    post: (path, params, options) => call('POST', path, params, options),
    patch: (path, params, options) => call('PATCH', path, params, options),
    put: (path, params, options) => call('PUT', path, params, options),
    delete: (path, params, options) => call('DELETE', path, params, options),
  }
}

/** Prefetched answers, by request. */
const ahead = new Map<string, Promise<Response>>()

/**
 * Makes a call whose answer goes to the next caller with the same call through `createApi`: for
 * data that is certain to be needed as soon as the program is loaded.
 */
export function callAhead(method: string, path: string, params: CallParams): Promise<Response> {
  const { url, init } = requestOf(method, path, params)
  const reply = fetch(url, init)
  // Callers that await the answer get the failure.
  reply.catch(() => {})
  ahead.set(aheadKey(url, init), reply)
  return reply
}

/** The answer of a call that was made ahead, which is still there for its caller. */
export function replyAhead(
  method: string,
  path: string,
  params: CallParams,
): Promise<Response> | undefined {
  const { url, init } = requestOf(method, path, params)
  return ahead.get(aheadKey(url, init))
}

/** Drops unused answers, which would be out of date later. */
export function forgetAhead(): void {
  ahead.clear()
}

function takeAhead(url: string, init: RequestInit): Promise<Response> | undefined {
  if (ahead.size === 0) return undefined
  const key = aheadKey(url, init)
  const reply = ahead.get(key)
  ahead.delete(key)
  return reply
}

const aheadKey = (url: string, { method, body }: RequestInit) => `${method} ${url} ${body ?? ''}`

function requestOf(method: string, path: string, params: CallParams) {
  const form = encodeParams(params)
  const isRead = method === 'GET'
  const query = isRead && form instanceof URLSearchParams && form.size > 0 ? `?${form}` : ''
  const init: RequestInit = isRead
    ? { method, headers: refusalHeaders }
    : {
        method,
        headers: changeHeaders(),
        body: form,
        keepalive: isLast(form),
      }
  return { url: `/json${path}${query}`, init }
}

/** Asks that refusals say which parameter they are about, and come as sentences to translate. */
const refusalHeaders = { 'Extended-Members': 'true' } as const

/** The headers of every change. */
export function changeHeaders() {
  return { 'X-CSRFToken': csrfToken(), ...refusalHeaders }
}

/** Whether a call may outlive its page, and is small enough for that. */
function isLast(form: URLSearchParams | FormData): boolean {
  if (form instanceof FormData) return false
  return document.visibilityState === 'hidden' && String(form).length < 30_000
}

/** Parameters as a form: texts and files as they are, everything else as JSON. */
function encodeParams(params: CallParams): URLSearchParams | FormData {
  const given = Object.entries(params).filter(([, value]) => value !== undefined)
  const hasFile = given.some(([, value]) => value instanceof File)
  const form = hasFile ? new FormData() : new URLSearchParams()
  for (const [name, value] of given) {
    if (value instanceof File && form instanceof FormData) form.set(name, value, value.name)
    else form.set(name, typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value))
  }
  return form
}

/** The token that every change has to repeat; empty without a session. */
export function csrfToken(): string {
  return /(?:^|;\s*)csrftoken=([^;]*)/.exec(document.cookie)?.[1] ?? ''
}

function refusalOf({ status, headers }: Response, { result, msg, code, ...details }: Reply) {
  const named = typeof code === 'string' ? code : 'INTERNAL_SERVER_ERROR'
  const wait = Number(headers.get('Retry-After') ?? Number.NaN)
  const seconds = typeof details['retry-after'] === 'number' ? details['retry-after'] : wait
  return new CallError(
    typeof msg === 'string' ? msg : '',
    status === 401 ? 'UNAUTHORIZED' : named,
    status,
    details,
    Number.isFinite(seconds) ? seconds : undefined,
  )
}
