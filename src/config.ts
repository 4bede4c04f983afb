/** How a server runs. `readConfig` takes it from the environment; embedding sets it directly. */
export interface Config {
  /** The origin clients reach the server under, without a slash at the end; null: from each request. */
  readonly externalUrl: string | null
  /** Whether the fixture organization's development endpoints exist. */
  readonly fixture: boolean
  readonly rateLimits: boolean
  /** How long a parked poll waits before it gets a heartbeat, in seconds. */
  readonly heartbeatSeconds: number
  /** How long a queue that nobody polls is kept unless its client asks for more, in seconds. */
  readonly queueLifespanSeconds: number
  readonly maxFileUploadMib: number
  /** Feature level to announce instead of the real one, for tests of clients; null: the real one. */
  readonly announcedFeatureLevel: number | null
  readonly logLevel: string
}

export const defaultConfig: Config = {
  externalUrl: null,
  fixture: false,
  rateLimits: true,
  heartbeatSeconds: 50,
  queueLifespanSeconds: 600,
  maxFileUploadMib: 25,
  announcedFeatureLevel: null,
  logLevel: 'info',
}

/** The environment's part of the configuration: the only reader of `process.env`. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  return {
    ...defaultConfig,
    externalUrl: env.PARLEY_URL?.replace(/\/+$/, '') ?? null,
    rateLimits: env.PARLEY_RATE_LIMITS !== 'off',
    logLevel: env.PARLEY_LOG_LEVEL ?? defaultConfig.logLevel,
  }
}
