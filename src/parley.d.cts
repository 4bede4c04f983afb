/** What a program that embeds the server imports from `parley`: the built dist/parley.cjs. */

export interface ServerOptions {
  /** The data folder, made when it is missing, or `:memory:`. */
  readonly data: string
  /** 0 takes any free port. */
  readonly port: number
  /** The interface to listen on; loopback unless given. */
  readonly host?: string
  /** Fills it with the well-known development organization and enables its endpoints. */
  readonly fixture?: boolean | FixtureOptions
  readonly config?: Config
}

export interface FixtureOptions {
  /** How many messages people have sent already; none unless given. */
  readonly messages?: number
  /** When everything was created, in milliseconds since the epoch; 2026-01-01 unless given. */
  readonly time?: number
}

export interface Config {
  /** The origin clients reach the server under, without a slash at the end; where it listens unless given. */
  readonly externalUrl?: string | null
  /** Whether requests are limited: true unless given, false in the fixture. */
  readonly rateLimits?: boolean
  /** How long a parked poll waits before it gets a heartbeat, in seconds; 50 unless given. */
  readonly heartbeatSeconds?: number
  /** How long a queue that nobody polls is kept, in seconds; 600 unless given. */
  readonly queueLifespanSeconds?: number
  /** The largest upload, in MiB; 25 unless given. */
  readonly maxFileUploadMib?: number
  /** Disk space for all uploads together, in MiB; null, without a limit, unless given. */
  readonly uploadQuotaMib?: number | null
  /** Feature level to announce instead of the real one, for tests of clients. */
  readonly announcedFeatureLevel?: number | null
  /** `silent`, `error`, `warn`, `info` (unless given) or `debug`; lines of JSON on standard output. */
  readonly logLevel?: string
}

export interface Server {
  /** Scheme, host and port it listens on. */
  readonly url: string
  /** Where the first owner sets up the organization; undefined once that is done. */
  readonly setupUrl: string | undefined
  /** Answers a request without a socket. */
  fetch(request: Request): Promise<Response>
  /** Answers parked polls, saves the queues and closes the database. */
  close(): Promise<void>
}

/** Starts a server. Throws when another one uses the data folder, or the port is taken. */
export function createServer(options: ServerOptions): Promise<Server>
