import * as v from 'valibot'
import { MalformedValue } from './malformed.ts'

/** An OpenID Connect provider, with whose accounts people log in. */
export interface IdentityProvider {
  /** Its name in paths: lower-case letters, digits and hyphens. */
  readonly id: string
  /** What its button is called. */
  readonly name: string
  /** The issuer: the URL of its description, which its tokens contain. */
  readonly issuer: string
  readonly clientId: string
  /** Null: this server is a public client. */
  readonly clientSecret: string | null
  /** The scopes to ask for, separated by spaces. */
  readonly scope: string
  /**
   * Whether people without an account get one at their first login, if they are allowed to join.
   */
  readonly createAccounts: boolean
  /** Whether to treat its addresses as verified even if it does not say so. */
  readonly trustEmail: boolean
  /** The claim that lists someone's groups. */
  readonly groupsClaim: string
  /** The groups whose members may log in; empty: everyone may. */
  readonly allowedGroups: readonly string[]
  /** User groups here by groups of the provider. */
  readonly groups: Readonly<Record<string, string>>
  /**
   * Roles here by groups of the provider; its other people are members. Empty: roles do not change.
   */
  readonly roles: Readonly<Record<string, 'admin' | 'moderator' | 'member' | 'guest'>>
}

const most = 50
const text = (longest: number) => v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(longest))
const longText = text(500)
const mapped = <V extends v.GenericSchema<string, string>>(value: V) =>
  v.optional(
    v.pipe(
      v.record(longText, value),
      v.check((map) => Object.keys(map).length <= 200, 'has more than 200 entries'),
    ),
    {},
  )

/**
 * Discovery over plain HTTP would reveal the secret to anyone on the way, except on this machine.
 */
function isSafe(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, search, hash } = new URL(address)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return (protocol === 'https:' || (protocol === 'http:' && isLocal)) && search + hash === ''
}

/** An identity provider as operators write it. */
export const providerSchema = v.pipe(
  v.strictObject({
    id: v.pipe(
      v.string(),
      v.regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must be 1 to 32 lower-case letters, digits or hyphens'),
    ),
    name: text(60),
    issuer: v.pipe(longText, v.check(isSafe, 'must be an https URL')),
    client_id: longText,
    client_secret: v.optional(v.nullable(longText), null),
    scope: v.optional(
      v.pipe(longText, v.regex(/(^| )openid( |$)/, 'must contain openid')),
      'openid profile email',
    ),
    create_accounts: v.optional(v.boolean(), false),
    trust_email: v.optional(v.boolean(), false),
    groups_claim: v.optional(text(100), 'groups'),
    allowed_groups: v.optional(v.pipe(v.array(longText), v.maxLength(200)), []),
    groups: mapped(text(100)),
    roles: mapped(
      v.picklist(
        ['admin', 'moderator', 'member', 'guest'],
        'must be admin, moderator, member or guest',
      ),
    ),
  }),
  v.transform(
    (given): IdentityProvider => ({
      id: given.id,
      name: given.name,
      issuer: given.issuer,
      clientId: given.client_id,
      clientSecret: given.client_secret,
      scope: given.scope,
      createAccounts: given.create_accounts,
      trustEmail: given.trust_email,
      groupsClaim: given.groups_claim,
      allowedGroups: given.allowed_groups,
      groups: given.groups,
      roles: given.roles,
    }),
  ),
)

/**
 * Reads a list of providers.
 *
 * @param source JSON
 * @throws MalformedValue the message has no values, because some are secret
 */
export function parseProviders(source: string): readonly IdentityProvider[] {
  const parsed = v.safeParse(v.pipe(v.array(providerSchema), v.maxLength(most)), json(source))
  if (!parsed.success) throw new MalformedValue(source, `In it ${problemIn(parsed.issues[0])}.`)
  const ids = parsed.output.map(({ id }) => id)
  const twice = ids.find((id, i) => ids.indexOf(id) !== i)
  if (twice !== undefined) throw new MalformedValue(source, `The id ${twice} occurs twice.`)
  return parsed.output
}

function json(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch {
    throw new MalformedValue(source, 'It is not JSON.')
  }
}

/** What is wrong with a provider, without the value. */
export function problemIn(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue) ?? 'it'
  if (issue.kind === 'schema' && issue.type === 'strict_object') {
    return issue.expected === 'never' ? `${path} is unknown` : `${path} is missing or wrong`
  }
  const isOurs = issue.type === 'regex' || issue.type === 'check' || issue.type === 'picklist'
  return `${path} ${isOurs ? issue.message : 'is missing or wrong'}`
}
