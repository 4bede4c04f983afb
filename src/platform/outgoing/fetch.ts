import { lookup as lookUpAddresses } from 'node:dns'
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { type BlockList, isIP, type LookupFunction } from 'node:net'
import type { Context } from '#platform/context.ts'
import { inEnglish, type Sentence, sentence } from '#translations/translate.ts'
import { isAllowedAddress, networkList } from './addresses.ts'

export interface OutsideRequest {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** For the whole response, in milliseconds; default: 10 seconds. */
  readonly timeout?: number
  /** The largest response body, in bytes; default: 1 MiB. */
  readonly limit?: number
  /** Cancels the request when aborted. */
  readonly signal?: AbortSignal
}

export interface OutsideReply {
  readonly status: number
  /** By lower-case name, as the server wrote them. */
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** A response whose body comes while it is read. */
export interface OutsideStream extends Omit<OutsideReply, 'body'> {
  /** To be read, or closed; throws OutsideError where it breaks off. */
  readonly body: AsyncIterable<Uint8Array>
  /** Ends the connection, if the body is not wanted. */
  close(): void
}

/** The parts of the server that requests need. */
export interface Outgoing extends Pick<Context, 'clock'> {
  readonly config: Pick<Context['config'], 'allowedNetworks'>
}

/** Why a URL could not be fetched. The message reveals nothing about its IP address. */
export class OutsideError extends Error {
  /** The message, for people, in whose language it is shown. */
  readonly sentence: Sentence
  /** Whether the server never connects to this URL, so that retrying is useless. */
  readonly refused: boolean

  constructor(message: Sentence, refused = false) {
    super(inEnglish(message))
    this.sentence = message
    this.refused = refused
  }
}

const usualTimeout = 10_000
const usualLimit = 1024 * 1024

/**
 * Requests a URL from an untrusted user. The server connects only to the public internet and to
 * `Config.allowedNetworks`. It looks the host name up once and connects to an address it has
 * checked. It does not follow redirects, but returns them.
 *
 * @throws OutsideError any failure before the response is complete
 */
export async function fetchOutside(
  server: Outgoing,
  address: string,
  init: OutsideRequest = {},
): Promise<OutsideReply> {
  return await ask<OutsideReply>(server, address, init, (response, { done, fail }) => {
    collect(response, init.limit ?? usualLimit, fail, (body) => {
      done({ status: response.statusCode ?? 0, headers: response.headers, body })
    })
  })
}

/**
 * The same for a body of any length: the timeout is for its beginning, and for each pause in it.
 *
 * @throws OutsideError any failure before the body begins
 */
export async function streamOutside(
  server: Outgoing,
  address: string,
  init: Omit<OutsideRequest, 'limit'> = {},
): Promise<OutsideStream> {
  const { timeout = usualTimeout, signal } = init
  return await ask<OutsideStream>(server, address, init, (response, { done }) => {
    response.setTimeout(timeout, () => response.destroy(slow(timeout)))
    const body = bodyOf(response, signal)
    const close = () => void response.destroy()
    done({ status: response.statusCode ?? 0, headers: response.headers, body, close })
  })
}

async function* bodyOf(
  response: IncomingMessage,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void> {
  const stop = () => response.destroy(new OutsideError(sentence('The request was cancelled.')))
  signal?.addEventListener('abort', stop)
  try {
    for await (const part of response) yield part
  } catch (error) {
    throw outsideError(error as Error)
  } finally {
    signal?.removeEventListener('abort', stop)
    response.destroy()
  }
}

interface ResponseHandlers<T> {
  done(reply: T): void
  fail(error: Error): void
}

/** Sends a request if the server may connect there, and lets `handle` end it. */
async function ask<T>(
  { config, clock }: Outgoing,
  address: string,
  init: OutsideRequest,
  handle: (response: IncomingMessage, to: ResponseHandlers<T>) => void,
): Promise<T> {
  const url = usableUrl(address)
  const allowed = networkList(config.allowedNetworks.join(' '))
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(host) !== 0 && !isAllowedAddress(host, allowed)) throw forbidden()
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  return await new Promise<T>((resolve, reject) => {
    const request = send(url, {
      method: init.method ?? 'GET',
      headers: { 'User-Agent': 'Parley', ...init.headers },
      lookup: checkedLookup(allowed),
      // A kept-alive connection would bypass the check of the address.
      agent: false,
    })
    const { timeout = usualTimeout } = init
    const cancel = clock.after(timeout, () => fail(slow(timeout)))
    const stop = () => fail(new OutsideError(sentence('The request was cancelled.')))
    const end = () => {
      cancel()
      init.signal?.removeEventListener('abort', stop)
    }
    const fail = (error: Error) => {
      end()
      reject(outsideError(error))
      request.destroy()
    }
    const done = (reply: T) => {
      end()
      resolve(reply)
    }
    request.on('error', fail)
    request.on('response', (response) => handle(response, { done, fail }))
    if (init.signal?.aborted) return stop()
    init.signal?.addEventListener('abort', stop)
    request.end(init.body)
  })
}

const slow = (timeout: number) =>
  new OutsideError(
    sentence('The server did not answer within {count} seconds.', { count: timeout / 1000 }),
  )

const outsideError = (error: Error) =>
  error instanceof OutsideError ? error : new OutsideError(wordsFor(error))

function usableUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new OutsideError(sentence('This is not a web address.'), true)
}

function collect(
  response: IncomingMessage,
  limit: number,
  fail: (error: Error) => void,
  done: (body: Buffer) => void,
): void {
  const parts: Buffer[] = []
  let size = 0
  response.on('data', (part: Buffer) => {
    size += part.byteLength
    if (size <= limit) parts.push(part)
    else
      fail(new OutsideError(sentence('The answer is larger than {count} bytes.', { count: limit })))
  })
  response.on('end', () => done(Buffer.concat(parts)))
  response.on('error', fail)
}

/** A look-up that fails unless the server may connect to all addresses of the host. */
function checkedLookup(allowed: BlockList): LookupFunction {
  return (hostname, options, callback) => {
    lookUpAddresses(hostname, { ...options, all: true }, (error, found) => {
      const [first] = found ?? []
      if (error || !first) return callback(error ?? forbidden(), '', 0)
      if (!found.every(({ address }) => isAllowedAddress(address, allowed))) {
        return callback(forbidden(), '', 0)
      }
      if (options.all) callback(null, found)
      else callback(null, first.address, first.family)
    })
  }
}

function forbidden(): OutsideError {
  return new OutsideError(sentence('This server does not connect to private addresses.'), true)
}

/** A message for users for an operating system error, without addresses and ports. */
function wordsFor({ code }: Error & { code?: string }): Sentence {
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return sentence('The host name was not found.')
    case 'ECONNREFUSED':
      return sentence('The server refused the connection.')
    case 'ECONNRESET':
    case 'EPIPE':
      return sentence('The server closed the connection.')
    default:
      return code === undefined
        ? sentence('The request failed.')
        : sentence('The request failed ({code}).', { code })
  }
}
