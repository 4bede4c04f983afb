import { readFileSync } from 'node:fs'
import { platform } from 'node:process'
import { networkList } from '#platform/outgoing/addresses.ts'
import { withoutEnd } from '#shared/without-end.ts'
import { isDomain, isEmailAddress, isHost, parseUrl } from './hosts.ts'
import { type IdentityProvider, parseProviders } from './identity-provider.ts'
import { MalformedValue } from './malformed.ts'

/** How operators write a value. */
export interface Kind<T> {
  /** The type of the value, for the types of embedding programs. */
  readonly type: string
  /** What a value looks like, in words that follow "must be". */
  readonly form: string
  /**
   * @param text not empty
   * @throws MalformedValue not of that form
   */
  parse(text: string): T
}

/** A kind of text, which stays as it is unless it is malformed. */
const textKind = (form: string, isRight: (given: string) => boolean): Kind<string> => ({
  type: 'string',
  form,
  parse(given) {
    if (isRight(given)) return given
    throw new MalformedValue(given)
  },
})

/** Control characters, which would end a line of a log or a mail, or reach a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
export const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g

export const text = textKind(
  'a text of at most 1000 characters without control characters',
  (given) => given.length <= 1000 && given.trim() !== '' && given.search(controlCharacters) < 0,
)

/** A key, an ID or the like, which is sent in headers. */
export const token = textKind('printable ASCII characters without spaces, at most 1000', (given) =>
  /^[!-~]{1,1000}$/.test(given),
)

const isPath = (given: string) =>
  given.trim() !== '' && Buffer.byteLength(given) <= 4096 && given.search(controlCharacters) < 0

export const path = textKind('the path of a file', isPath)
export const folder = textKind('the path of a folder', isPath)

/** @source unix(7): `sun_path` has 108 bytes; macOS, unix(4): 104 */
const longestSocket = platform === 'darwin' ? 103 : 107

export const socketPath = textKind(
  `the path of a Unix socket, of at most ${longestSocket} bytes`,
  (given) => isPath(given) && Buffer.byteLength(given) <= longestSocket,
)

export const host = textKind('an IP address or a host name', isHost)
export const domain: Kind<string> = {
  ...textKind('a domain such as chat.example.com', isDomain),
  parse(given) {
    if (isDomain(given)) return given.toLowerCase()
    throw new MalformedValue(given)
  },
}

export const emailAddress = textKind('an email address such as ann@example.com', isEmailAddress)

/** A sender of mail. */
export const mailbox = textKind(
  'an email address such as chat@example.com or Our chat <chat@example.com>',
  (given) => {
    const [, name = '', address = given] = /^([^<>]*)<([^<>]+)>$/.exec(given) ?? []
    return name.length <= 200 && name.search(controlCharacters) < 0 && isEmailAddress(address)
  },
)

const isWeb = (url: URL | undefined): url is URL => /^https?:$/.test(url?.protocol ?? '')
const isAnonymous = ({ username, password }: URL) => username + password === ''

/** The origin of a web server, without a slash at its end. */
export const origin: Kind<string> = {
  type: 'string',
  form: 'an address such as https://chat.example.com, without a path',
  parse: originOf,
}

function originOf(given: string): string {
  const url = parseUrl(withoutEnd(given, '/'))
  if (isWeb(url) && isAnonymous(url) && url.href === `${url.origin}/` && !/[?#]/.test(given)) {
    return url.origin
  }
  throw new MalformedValue(given)
}

/** A URL of the web, as it is. */
export const webAddress = textKind('a web address such as https://example.com', (given) => {
  const url = parseUrl(given)
  return isWeb(url) && isAnonymous(url)
})

/** The address of an API, without slashes at its end. */
export const apiAddress: Kind<string> = {
  type: 'string',
  form: 'a web address such as https://example.com/api, without a query',
  parse(given) {
    if (/[?#]/.test(given)) throw new MalformedValue(given)
    return withoutEnd(webAddress.parse(given), '/')
  },
}

/** A URL of the web that holds a password, which no message repeats; without slashes at its end. */
export const addressWithPassword: Kind<string> = {
  type: 'string',
  form: 'a web address with a password: https://USER:PASSWORD@HOST',
  parse(given) {
    const url = parseUrl(given)
    if (isWeb(url) && isWhole(url) && !/[?#]/.test(given)) return withoutEnd(given, '/')
    throw new MalformedValue(given)
  },
}

/** The same for GIFs: the user is the name of the provider. */
export const gifs: Kind<string> = {
  type: 'string',
  form: 'the address of giphy, klipy or tenor with a key: https://giphy:KEY@HOST',
  parse(given) {
    const address = addressWithPassword.parse(given)
    if (/^(giphy|klipy|tenor)$/.test(new URL(address).username)) return address
    throw new MalformedValue(given)
  },
}

/** The address of a mail server, with options of Nodemailer as its query. */
export const mailServer = textKind(
  'the address of a mail server: smtps://USER:PASSWORD@HOST or smtp://HOST:PORT',
  (given) => {
    const url = parseUrl(given)
    if (!url || !/^smtps?:$/.test(url.protocol)) return false
    return url.pathname.length <= 1 && url.hash === '' && isDecodable(url)
  },
)

/** Whether there is a password. */
const isWhole = (url: URL) => url.password !== '' && isDecodable(url)

function isDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username)
    decodeURIComponent(password)
    return true
  } catch {
    return false
  }
}

/** A switch, in any case of letters. */
export const flag: Kind<boolean> = {
  type: 'boolean',
  form: 'on or off',
  parse(given) {
    if (/^(on|true|yes|1)$/i.test(given)) return true
    if (/^(off|false|no|0)$/i.test(given)) return false
    throw new MalformedValue(given)
  },
}

/** A positive integer. @param unit what it counts, in the plural */
export const count = (unit: string): Kind<number> => ({
  type: 'number',
  form: `a number of ${unit} above 0`,
  parse(given) {
    if (/^[1-9]\d{0,8}$/.test(given)) return Number(given)
    throw new MalformedValue(given)
  },
})

const portOf = (given: string) => (/^\d{1,5}$/.test(given) ? Number(given) : Number.NaN)

export const port: Kind<number> = {
  type: 'number',
  form: 'a number from 0 to 65535',
  parse(given) {
    if (portOf(given) <= 65_535) return portOf(given)
    throw new MalformedValue(given)
  },
}

/** One of a few words. */
export const choice = (...words: readonly [string, ...string[]]): Kind<string> =>
  textKind(`${words.slice(0, -1).join(', ')} or ${words.at(-1)}`, (given) => words.includes(given))

export const region = textKind('a region such as us-east-1', (given) =>
  /^[a-z0-9][a-z0-9-]{0,62}$/i.test(given),
)

const split = (given: string): readonly string[] => given.split(/[\s,]+/).filter(Boolean)

/** Values separated by spaces or commas. @param form of all of them */
const list = (form: string, parse: (each: string) => string): Kind<readonly string[]> => ({
  type: 'readonly string[]',
  form,
  parse: (given) => split(given).map(parse),
})

export const emailAddresses = list(
  'email addresses separated by spaces or commas',
  emailAddress.parse,
)

/** Networks as `10.0.0.0/8` or `127.0.0.1`; checked at the start, not at the first request. */
export const networks = list(
  'networks such as 10.0.0.0/8 or 127.0.0.1, separated by spaces or commas',
  (each) => {
    try {
      networkList(each)
      return each
    } catch {
      throw new MalformedValue(each)
    }
  },
)

/** Origins of web servers. */
export const origins = list(
  'origins such as https://example.com:8443, separated by spaces or commas',
  originOf,
)

/** Limits as `drafts=200 channels_per_hour=50`. The server checks the names when it starts. */
export const limits: Kind<Readonly<Record<string, number>>> = {
  type: 'Readonly<Record<string, number>>',
  form: 'limits such as drafts=200, separated by spaces or commas',
  parse: (given) =>
    Object.fromEntries(
      split(given).map((each) => {
        const [, name, most] = /^([a-z_]+)=(\d{1,12})$/.exec(each) ?? []
        if (name !== undefined) return [name, Number(most)]
        throw new MalformedValue(each)
      }),
    ),
}

/** The pattern of addresses for incoming mail. */
export const gateway = textKind('a pattern such as %s@mail.example.com', (given) => {
  const [, before = '', after = ''] = /^([\w.+-]*)%s[\w.+-]*@([A-Za-z0-9.-]+)$/.exec(given) ?? []
  return isHost(after) && before.length <= 64
})

interface ListenAddress {
  readonly host: string
  readonly port: number
}

/** `2525`, on this machine only, or `HOST:2525`. */
export const listenAddress: Kind<ListenAddress> = {
  type: '{ readonly host: string; readonly port: number }',
  form: 'a port, or a host and a port: 2525 or 10.0.0.5:25',
  parse(given) {
    const [, inside, name, digits = ''] =
      /^(?:(?:\[([^\]]*)\]|([^:[\]]*)):)?(\d{1,5})$/.exec(given) ?? []
    const address = inside ?? name ?? '127.0.0.1'
    if (isHost(address) && portOf(digits) <= 65_535) return { host: address, port: portOf(digits) }
    throw new MalformedValue(given)
  },
}

/** JSON, or the path of a file with it, which keeps the secrets out of the environment. */
export const identityProviders: Kind<readonly IdentityProvider[]> = {
  type: 'readonly IdentityProvider[]',
  form: 'JSON with a list of providers, or the path of a file with it',
  parse(given) {
    if (given.trim() === '') return []
    return parseProviders(/^\s*\[/.test(given) ? given : contentOf(given))
  },
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw new MalformedValue(file, `The file cannot be read (${code}).`)
  }
}

/** A folder, or `s3://BUCKET/PREFIX`. */
export const backupTarget = textKind('a folder or s3://BUCKET/PREFIX', (given) =>
  /^(s3:|[a-z0-9+.-]+:\/\/)/i.test(given)
    ? /^s3:\/\/[a-z0-9][a-z0-9.-]+(\/[\w./-]*)?$/.test(given)
    : isPath(given),
)
