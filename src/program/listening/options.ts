/** How a server listens, if not for HTTP on a port. */
export interface Listening {
  /** Serves HTTPS. */
  readonly tls?: Tls
  /** The path of a Unix socket to listen on, instead of a port: for a proxy on this machine. */
  readonly socket?: string
  /** A port for HTTP that leads to `Config.externalUrl`, and proves to an ACME server who we are. */
  readonly redirectPort?: number
}

export type Tls = CertificateFiles | Acme

/** Certificate and key, each a PEM file. They are read again when they change. */
export interface CertificateFiles {
  readonly certFile: string
  readonly keyFile: string
}

/** A certificate that an ACME server issues and renews. */
export interface Acme {
  readonly domain: string
  /** The address that the ACME server may write to. */
  readonly email: string | undefined
  /** The URL of the ACME server's directory. */
  readonly directory: string
}

/** The directory of Let's Encrypt. @source https://letsencrypt.org/docs/acme-protocol-updates/ */
export const defaultAcmeDirectory = 'https://acme-v02.api.letsencrypt.org/directory'
