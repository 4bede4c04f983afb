import { readFileSync } from 'node:fs'
import { networkList } from '#platform/outgoing/addresses.ts'
import { type IdentityProvider, parseProviders } from './identity-provider.ts'
import { InvalidSetting } from './invalid-setting.ts'

/** How operators write a value. */
export interface Kind<T> {
  /** The type of the value, for the types of embedding programs. */
  readonly type: string
  /**
   * @param text not empty
   * @param name the variable, for the message
   * @throws InvalidSetting malformed
   */
  parse(text: string, name: string): T
}

export const text: Kind<string> = { type: 'string', parse: (given) => given }

/** A URL, without slashes at its end. */
export const url: Kind<string> = { type: 'string', parse: (given) => given.replace(/\/+$/, '') }

/** A URL of the web, as it is. */
export const webAddress: Kind<string> = {
  type: 'string',
  parse(given, name) {
    if (/^https?:\/\//.test(given) && URL.canParse(given)) return given
    throw new InvalidSetting(`${name} must be a web address, not '${given}'.`)
  },
}

/** A URL of the web that holds a password, which no message repeats. */
export const addressWithPassword: Kind<string> = {
  type: 'string',
  parse(given, name) {
    if (/^https?:\/\//.test(given) && URL.canParse(given) && isWhole(new URL(given))) return given
    throw new InvalidSetting(
      `${name} must be a web address with a password: https://USER:PASSWORD@HOST.`,
    )
  },
}

/** The same for GIFs: the user is the name of the provider. */
export const gifs: Kind<string> = {
  type: 'string',
  parse(given, name) {
    const address = addressWithPassword.parse(given, name)
    if (/^(giphy|klipy|tenor)$/.test(new URL(address).username)) return address
    throw new InvalidSetting(`${name} must name giphy, klipy or tenor: https://giphy:KEY@HOST.`)
  },
}

/** Whether the password is one, and nothing follows the path. */
function isWhole({ username, password, search, hash }: URL): boolean {
  try {
    decodeURIComponent(username)
    return decodeURIComponent(password) !== '' && search + hash === ''
  } catch {
    return false
  }
}

/** `on` or `off`; anything else leaves it as it is. */
export const flag = (isOn: boolean): Kind<boolean> => ({
  type: 'boolean',
  parse: (given) => (isOn ? given !== 'off' : given === 'on'),
})

/** A positive integer. @param unit what it counts, in the plural */
export const count = (unit: string): Kind<number> => ({
  type: 'number',
  parse(given, name) {
    if (/^[1-9]\d{0,8}$/.test(given)) return Number(given)
    throw new InvalidSetting(`${name} must be a number of ${unit}, not '${given}'.`)
  },
})

const split = (given: string): readonly string[] => given.split(/[\s,]+/).filter(Boolean)

/** Texts without spaces, separated by spaces or commas, as in all the lists below. */
export const words: Kind<readonly string[]> = { type: 'readonly string[]', parse: split }

/** Networks as `10.0.0.0/8` or `127.0.0.1`; checked at the start, not at the first request. */
export const networks: Kind<readonly string[]> = {
  type: 'readonly string[]',
  parse(given) {
    networkList(given)
    return split(given)
  },
}

/** Origins of web servers. */
export const origins: Kind<readonly string[]> = {
  type: 'readonly string[]',
  parse: (given, name) =>
    split(given).map((each) => {
      const url = URL.canParse(each) ? new URL(each) : undefined
      if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin
      throw new InvalidSetting(`${name} must hold origins, not '${each}'.`)
    }),
}

/** Limits as `drafts=200 channels_per_hour=50`. The server checks the names when it starts. */
export const limits: Kind<Readonly<Record<string, number>>> = {
  type: 'Readonly<Record<string, number>>',
  parse: (given, variable) =>
    Object.fromEntries(
      split(given).map((each) => {
        const [, name, most] = /^([a-z_]+)=(\d{1,12})$/.exec(each) ?? []
        if (name !== undefined) return [name, Number(most)]
        throw new InvalidSetting(`${variable} must hold limits such as drafts=200, not '${each}'.`)
      }),
    ),
}

/** The pattern of addresses for incoming mail. */
export const gateway: Kind<string> = {
  type: 'string',
  parse(given, name) {
    if (/^[\w.+-]*%s[\w.+-]*@[a-z0-9.-]+$/i.test(given)) return given
    throw new InvalidSetting(`${name} must look like %s@mail.example.com, not '${given}'.`)
  },
}

interface ListenAddress {
  readonly host: string
  readonly port: number
}

/** `2525`, on this machine only, or `HOST:2525`. */
export const listenAddress: Kind<ListenAddress> = {
  type: '{ readonly host: string; readonly port: number }',
  parse(given, name) {
    const [, host = '127.0.0.1', port] = /^(?:\[?([^\]]+)\]?:)?(\d{1,5})$/.exec(given) ?? []
    if (port !== undefined && Number(port) <= 65_535) return { host, port: Number(port) }
    throw new InvalidSetting(`${name} must be a port, or a host and a port, not '${given}'.`)
  },
}

/** JSON, or the path of a file with it, which keeps the secrets out of the environment. */
export const identityProviders: Kind<readonly IdentityProvider[]> = {
  type: 'readonly IdentityProvider[]',
  parse(given) {
    if (given.trim() === '') return []
    return parseProviders(/^\s*\[/.test(given) ? given : readFileSync(given, 'utf8'))
  },
}

/** A folder, or `s3://BUCKET/PREFIX`. */
export const backupTarget: Kind<string> = {
  type: 'string',
  parse(given, name) {
    const isS3 = given.startsWith('s3:')
    if (!isS3 || /^s3:\/\/[a-z0-9][a-z0-9.-]+(\/[\w./-]*)?$/.test(given)) return given
    throw new InvalidSetting(`${name} must be a folder or s3://BUCKET/PREFIX, not '${given}'.`)
  },
}
