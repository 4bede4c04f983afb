import { text } from '#platform/config/kinds.ts'
import { type Variable, variable } from '#platform/config/variable.ts'
import { configVariables } from '#platform/config/variables.ts'

/** The default port and interface of `parley serve`. */
export const defaultPort = '9990'
export const loopback = '127.0.0.1'

const named = (
  declared: Pick<Variable, 'name' | 'meaning' | 'help' | 'unset' | 'option' | 'secret'>,
) => variable<string | undefined>({ ...declared, default: undefined, kind: text })

/** Where the data is, and how the server listens. The command line checks the values. */
export const launchVariables = {
  data: variable({
    name: 'PARLEY_DATA',
    meaning: 'The data folder.',
    default: 'data',
    kind: text,
    option: 'data',
  }),
  port: named({
    name: 'PARLEY_PORT',
    meaning: 'The port to listen on.',
    unset: `${defaultPort}, or 443 with a domain`,
    option: 'port',
  }),
  host: named({
    name: 'PARLEY_HOST',
    meaning: 'The interface to listen on.',
    unset: `${loopback}, or all with a domain`,
    option: 'host',
  }),
  domain: named({
    name: 'PARLEY_DOMAIN',
    meaning: 'The domain to obtain a certificate for.',
    help: 'See [on the internet](#on-the-internet).',
    unset: 'HTTP without a certificate',
    option: 'domain',
  }),
  acmeEmail: named({
    name: 'PARLEY_ACME_EMAIL',
    meaning: 'The email address for notices from the ACME server.',
    option: 'acme-email',
  }),
  acmeDirectory: named({
    name: 'PARLEY_ACME_DIRECTORY',
    meaning: 'The ACME server.',
    unset: "Let's Encrypt",
    option: 'acme-directory',
  }),
  tlsCert: named({
    name: 'PARLEY_TLS_CERT',
    meaning: 'The file with the certificate chain.',
    help: 'See [on the internet](#on-the-internet).',
    option: 'tls-cert',
  }),
  tlsKey: named({
    name: 'PARLEY_TLS_KEY',
    meaning: "The file with the certificate's private key.",
    option: 'tls-key',
  }),
  httpPort: named({
    name: 'PARLEY_HTTP_PORT',
    meaning: 'The port that redirects HTTP to HTTPS.',
    unset: '80 with a domain',
    option: 'http-port',
  }),
  socket: named({
    name: 'PARLEY_SOCKET',
    meaning: 'The Unix socket to listen on instead of a port.',
    help: 'See [on the internet](#on-the-internet).',
    option: 'socket',
  }),
}

/** The settings that set up an organization without a browser. */
export const organizationVariables = {
  organization: named({
    name: 'PARLEY_ORG',
    meaning: 'The name of the organization to set up at the first start.',
  }),
  email: named({
    name: 'PARLEY_OWNER_EMAIL',
    meaning: "The email address of the organization's owner.",
  }),
  fullName: named({ name: 'PARLEY_OWNER_NAME', meaning: "The name of the organization's owner." }),
  password: named({
    name: 'PARLEY_OWNER_PASSWORD',
    meaning: "The password of the organization's owner.",
    secret: 'all',
  }),
}

export const logFile = named({
  name: 'PARLEY_LOG_FILE',
  meaning: 'The log file, reopened on SIGHUP.',
  help: 'It holds lines of JSON. See [signals](#signals).',
  unset: 'standard error',
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
