/** The types of `parley` (the built dist/parley.cjs) for programs that embed the server. */

export interface ServerOptions {
  /** The data folder, created if missing, or `:memory:`. */
  readonly data: string
  /** 0: any free port. */
  readonly port: number
  /** The interface to listen on; default: loopback. */
  readonly host?: string
  /** Creates the development organization and enables its endpoints. */
  readonly fixture?: boolean | FixtureOptions
  /**
   * Whether the development organization answers under other host names than `localhost`, and to
   * web pages of other hosts. Default: neither.
   */
  readonly expose?: boolean
  readonly config?: Config
}

export interface FixtureOptions {
  /** The number of messages to send; default: none. */
  readonly messages?: number
  /** When everything was created, in milliseconds since the epoch; default: 2026-01-01. */
  readonly time?: number
  /** The time at which the clock stands, in milliseconds since the epoch; default: it goes. */
  readonly clock?: number
  /** The organization to begin with: the contents of a seed file, as the README describes it. */
  readonly seed?: object
}

export interface Config {
  /**
   * The origin clients use, without a trailing slash; default: the address the server listens on.
   */
  readonly externalUrl?: string | null
  /** Whether to limit the rate of requests; default: true, but false in the fixture. */
  readonly rateLimits?: boolean
  /** Limits on what accounts can hold or do, by their names in the README, where changed. */
  readonly quotas?: Readonly<Record<string, number>>
  /** How long a parked poll waits before the server sends a heartbeat, in seconds; default: 50. */
  readonly heartbeatSeconds?: number
  /** How long a queue stays without polls, in seconds; default: 600. */
  readonly queueLifespanSeconds?: number
  /** The largest upload, in MiB; default: 25. */
  readonly maxFileUploadMib?: number
  /** Disk space for all uploads together, in MiB; default: null, no limit. */
  readonly uploadQuotaMib?: number | null
  /** The feature level to announce, for testing clients; default: the real one. */
  readonly announcedFeatureLevel?: number | null
  /** `silent`, `error`, `warn`, `info` (default) or `debug`. Logs are JSON lines on stdout. */
  readonly logLevel?: string
}

export interface Server {
  /** The scheme, host and port it listens on. */
  readonly url: string
  /** The URL at which the first owner sets up the organization; undefined once set up. */
  readonly setupUrl: string | undefined
  /** Handles a request without a socket. */
  fetch(request: Request): Promise<Response>
  /** Answers parked polls, saves the queues and closes the database. */
  close(): Promise<void>
}

/** Starts a server. @throws Error another server uses the data folder, or the port is taken */
export function createServer(options: ServerOptions): Promise<Server>
