import type { Context as HonoContext } from 'hono'
import type { Context } from '#platform/context.ts'
import type { Store } from '#platform/store/store.ts'
import { clientAddress } from './client-address.ts'
import type { Account, Guess } from './guesses.ts'
import { originOf } from './origin.ts'
import { type Bill, billOf } from './rate-limit.ts'
import { type ReceivedFile, type Reception, receiveFile } from './receive-file.ts'
import type { HeaderPairs } from './reply.ts'
import type { Files } from './request-files.ts'

/** What a handler can get from the request besides its parameters. */
export interface RequestFacts {
  readonly server: Context
  /** The caller's store; of a `publicEndpoint`, the server's own, while the organization is active. */
  readonly store: Store
  readonly files: Files
  /** The raw body, for endpoints with `rawBody: true`; otherwise empty. */
  readonly body: Uint8Array
  /**
   * Streams the one file of the body into the file store, for endpoints with
   * `rawBody: 'streamed'`, and removes it again unless `use` makes a row that references it.
   *
   * @throws BAD_REQUEST no file, more than one, one that is too large, or a malformed body
   */
  receiveFile<T>(reception: Reception, use: (file: ReceivedFile) => Promise<T>): Promise<T>
  /** Aborted when the client has gone before the answer. */
  readonly signal: AbortSignal
  /** The value of a request header, by its lower-case name. */
  header(name: string): string | undefined
  /** Scheme, host and port of the server for this client: see `originOf`. */
  readonly origin: string
  /** The client's IP address, for rate limits and the log. */
  readonly address: string
  /** Charges tokens for work that takes other threads long, such as `passwordTokens`. */
  charge(tokens: number): void
  /** Call before comparing a password: see `Guesses.password`. @throws RATE_LIMIT_HIT */
  guess(account: Account): Guess
  /** Sets a header of the reply, such as a cookie. */
  setHeader(name: string, value: string): void
}

/** A class, as `RequestCaller`; handlers take methods out of it, so these are bound to it. */
export class Facts implements RequestFacts {
  readonly server: Context
  readonly store: Store
  readonly files: RequestFacts['files']
  readonly body: Uint8Array
  readonly #c: HonoContext
  readonly #headers: HeaderPairs

  constructor(
    server: Context,
    store: Store,
    c: HonoContext,
    { files, body }: Pick<RequestFacts, 'files' | 'body'>,
    headers: HeaderPairs,
  ) {
    this.server = server
    this.store = store
    this.files = files
    this.body = body
    this.#c = c
    this.#headers = headers
  }

  get receiveFile(): RequestFacts['receiveFile'] {
    return (reception, use) =>
      receiveFile(this.#c, this.server.files, charged(reception, billOf(this.#c)), use)
  }

  get signal(): AbortSignal {
    return this.#c.req.raw.signal
  }

  get header(): RequestFacts['header'] {
    return (name) => this.#c.req.header(name)
  }

  get origin(): string {
    return originOf(this.server, this.#c)
  }

  get address(): string {
    return clientAddress(this.server, this.#c)
  }

  get charge(): RequestFacts['charge'] {
    return (tokens) => billOf(this.#c).charge(tokens)
  }

  get guess(): RequestFacts['guess'] {
    return (account) => this.server.rateLimits.guesses.password(account, this.address)
  }

  get setHeader(): RequestFacts['setHeader'] {
    return (name, value) => void this.#headers.push([name, value])
  }
}

/** An upload pays for its bytes as they arrive, even if it is aborted. */
function charged({ limit, count }: Reception, bill: Bill): Reception {
  return {
    limit,
    count(bytes) {
      bill.size(bytes)
      count(bytes)
    },
  }
}
