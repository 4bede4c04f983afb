const mib = 1024 * 1024

/** Limits on what the connections of a server may cost. */
export interface ConnectionLimits {
  /** How long the headers of a request may take, in milliseconds. */
  readonly headersMs: number
  /** How long a connection stays open between requests, in milliseconds. */
  readonly keepAliveMs: number
  /** How long a body, or the reading of an answer, may make no progress, in milliseconds. */
  readonly stallMs: number
  /** How slow a body may be on average, after the first `stallMs`; in bytes per second. */
  readonly bodyBytesPerSecond: number
  /** The most requests that a connection may send ahead of the answers. */
  readonly pipelined: number
  /** The most bytes of answers that one client has not read yet, unless it is a single answer. */
  readonly clientBytes: number
  /** The same for all clients together. */
  readonly totalBytes: number
  /** The most connections from one address or IPv6 network, except this machine and proxies. */
  readonly perAddress: number
}

export const connectionLimits: ConnectionLimits = {
  headersMs: 20_000,
  keepAliveMs: 65_000,
  stallMs: 30_000,
  bodyBytesPerSecond: 2048,
  pipelined: 20,
  clientBytes: 32 * mib,
  totalBytes: 256 * mib,
  perAddress: 2000,
}
