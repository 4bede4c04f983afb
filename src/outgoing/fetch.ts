import { lookup as lookUpAddresses } from 'node:dns'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { type BlockList, isIP, type LookupFunction } from 'node:net'
import type { Context } from '#context.ts'
import { mayConnect, networkList } from './addresses.ts'

export interface OutsideRequest {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Until the whole answer is there, in milliseconds. */
  readonly timeout?: number
  /** The largest answer, in bytes. */
  readonly limit?: number
  /** Gives the request up when it is aborted. */
  readonly signal?: AbortSignal
}

export interface OutsideReply {
  readonly status: number
  readonly contentType: string
  readonly body: Buffer
}

/** Why something outside could not be fetched, in words that tell nothing of the address. */
export class OutsideError extends Error {
  /** Whether the address is one that the server never connects to: trying again is no use. */
  readonly refused: boolean

  constructor(message: string, refused = false) {
    super(message)
    this.refused = refused
  }
}

const usualTimeout = 10_000
const usualLimit = 1024 * 1024

/**
 * Requests an address that a user named. The server connects only to the public internet and to
 * what `Config.allowedNetworks` adds; a name is looked up once, and the connection goes to an
 * address that was checked. Redirects are not followed: they are the answer.
 *
 * @throws OutsideError whatever goes wrong before there is a whole answer
 */
export async function fetchOutside(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  address: string,
  init: OutsideRequest = {},
): Promise<OutsideReply> {
  const url = usableUrl(address)
  const allowed = networkList(config.allowedNetworks.join(' '))
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(host) !== 0 && !mayConnect(host, allowed)) throw forbidden()
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  return await new Promise<OutsideReply>((resolve, reject) => {
    const request = send(url, {
      method: init.method ?? 'GET',
      headers: { 'User-Agent': 'Parley', ...init.headers },
      lookup: checkedLookup(allowed),
      // A connection that is kept would go on to an address that was checked long ago.
      agent: false,
    })
    const { timeout = usualTimeout } = init
    const cancel = clock.after(timeout, () => {
      fail(new OutsideError(`There was no answer within ${timeout / 1000} seconds.`))
    })
    const stop = () => fail(new OutsideError('The request was given up.'))
    const end = () => {
      cancel()
      init.signal?.removeEventListener('abort', stop)
    }
    const fail = (error: Error) => {
      end()
      reject(error instanceof OutsideError ? error : new OutsideError(wordsFor(error)))
      request.destroy()
    }
    request.on('error', fail)
    request.on('response', (response) => {
      collect(response, init.limit ?? usualLimit, fail, (body) => {
        end()
        const contentType = response.headers['content-type'] ?? ''
        resolve({ status: response.statusCode ?? 0, contentType, body })
      })
    })
    if (init.signal?.aborted) return stop()
    init.signal?.addEventListener('abort', stop)
    request.end(init.body)
  })
}

function usableUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new OutsideError('This is not an address of the web.', true)
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
    else fail(new OutsideError(`The answer is larger than ${limit} bytes.`))
  })
  response.on('end', () => done(Buffer.concat(parts)))
  response.on('error', fail)
}

/** Looks a name up and hands on what it found, unless the server may not connect to all of it. */
function checkedLookup(allowed: BlockList): LookupFunction {
  return (hostname, options, callback) => {
    lookUpAddresses(hostname, { ...options, all: true }, (error, found) => {
      const [first] = found ?? []
      if (error || !first) return callback(error ?? forbidden(), '', 0)
      if (!found.every(({ address }) => mayConnect(address, allowed))) {
        return callback(forbidden(), '', 0)
      }
      if (options.all) callback(null, found)
      else callback(null, first.address, first.family)
    })
  }
}

function forbidden(): OutsideError {
  return new OutsideError('This server does not connect to private addresses.', true)
}

/** What an operating system's error says to people; addresses and ports stay out of it. */
function wordsFor(error: Error & { code?: string }): string {
  switch (error.code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'The name of the server could not be found.'
    case 'ECONNREFUSED':
      return 'The server refused the connection.'
    case 'ECONNRESET':
    case 'EPIPE':
      return 'The server closed the connection.'
    default:
      return `The request failed${error.code ? ` (${error.code})` : ''}.`
  }
}
