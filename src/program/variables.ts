import * as kind from '#platform/config/kinds.ts'
import { type Variable, variable } from '#platform/config/variable.ts'
import { configVariables } from '#platform/config/variables.ts'

/** The default port and interface of `parley serve`. */
export const defaultPort = 9990
export const loopback = '127.0.0.1'

/** A variable without a default value. */
const optional = <T>(declared: Omit<Variable<NonNullable<T>>, 'default'>) =>
  variable<NonNullable<T> | undefined>({ ...declared, default: undefined })

/** Where the data is, and how the server listens. */
export const launchVariables = {
  data: variable({
    name: 'PARLEY_DATA',
    meaning: 'The data folder.',
    default: 'data',
    kind: kind.folder,
    option: 'data',
  }),
  port: optional({
    name: 'PARLEY_PORT',
    meaning: 'The port to listen on.',
    unset: `${defaultPort}, or 443 with a domain`,
    kind: kind.port,
    option: 'port',
  }),
  host: optional({
    name: 'PARLEY_HOST',
    meaning: 'The interface to listen on.',
    unset: `${loopback}, or all with a domain`,
    kind: kind.host,
    option: 'host',
  }),
  domain: optional({
    name: 'PARLEY_DOMAIN',
    meaning: 'The domain to obtain a certificate for.',
    help: 'See [on the internet](#on-the-internet).',
    unset: 'HTTP without a certificate',
    kind: kind.domain,
    option: 'domain',
  }),
  acmeEmail: optional({
    name: 'PARLEY_ACME_EMAIL',
    meaning: 'The email address for notices from the ACME server.',
    kind: kind.emailAddress,
    option: 'acme-email',
  }),
  acmeDirectory: optional({
    name: 'PARLEY_ACME_DIRECTORY',
    meaning: 'The ACME server.',
    unset: "Let's Encrypt",
    kind: kind.webAddress,
    option: 'acme-directory',
  }),
  tlsCert: optional({
    name: 'PARLEY_TLS_CERT',
    meaning: 'The file with the certificate chain.',
    help: 'See [on the internet](#on-the-internet).',
    kind: kind.path,
    option: 'tls-cert',
  }),
  tlsKey: optional({
    name: 'PARLEY_TLS_KEY',
    meaning: "The file with the certificate's private key.",
    kind: kind.path,
    option: 'tls-key',
  }),
  httpPort: optional({
    name: 'PARLEY_HTTP_PORT',
    meaning: 'The port that redirects HTTP to HTTPS.',
    unset: '80 with a domain',
    kind: kind.port,
    option: 'http-port',
  }),
  socket: optional({
    name: 'PARLEY_SOCKET',
    meaning: 'The Unix socket to listen on instead of a port.',
    help: 'See [on the internet](#on-the-internet).',
    kind: kind.socketPath,
    option: 'socket',
  }),
}

/** The settings that set up an organization without a browser. */
export const organizationVariables = {
  organization: optional({
    name: 'PARLEY_ORG',
    meaning: 'The name of the organization to set up at the first start.',
    kind: kind.text,
  }),
  email: optional({
    name: 'PARLEY_OWNER_EMAIL',
    meaning: "The email address of the organization's owner.",
    kind: kind.emailAddress,
  }),
  fullName: optional({
    name: 'PARLEY_OWNER_NAME',
    meaning: "The name of the organization's owner.",
    kind: kind.text,
  }),
  password: optional({
    name: 'PARLEY_OWNER_PASSWORD',
    meaning: "The password of the organization's owner.",
    kind: kind.text,
    secret: 'all',
  }),
}

export const logFile = optional({
  name: 'PARLEY_LOG_FILE',
  meaning: 'The log file, reopened on SIGHUP.',
  help: 'It holds lines of JSON. See [signals](#signals).',
  unset: 'standard error',
  kind: kind.path,
})

/** All settings of the operator, in the order in which `parley config` and the help list them. */
export const variables: readonly Variable[] = [
  ...Object.values(launchVariables),
  ...Object.values(organizationVariables),
  ...Object.values(configVariables).flatMap((declared): readonly Variable[] =>
    'parts' in declared ? declared.parts : 'kind' in declared ? [declared] : [],
  ),
  logFile,
]
