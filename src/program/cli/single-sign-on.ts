import { UsageError } from './options.ts'
import { readSecret } from './password.ts'
import { run, type Setting } from './running.ts'

interface AddOptions {
  readonly data: string
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  readonly public: boolean
  readonly scope?: string
  readonly createAccounts: boolean
  readonly trustEmail: boolean
  readonly groupsClaim?: string
  readonly allowGroup: string[]
  readonly group: Record<string, string>
  readonly role: Record<string, string>
}

const listed = (value: string, before: string[]) => [...before, value]

/** Reads `THERE=HERE`; there may be an equals sign in the first part. */
function mapped(value: string, before: Record<string, string>): Record<string, string> {
  const at = value.lastIndexOf('=')
  if (at < 1) throw new UsageError(`'${value}' must be GROUP=VALUE.`)
  return { ...before, [value.slice(0, at)]: value.slice(at + 1) }
}

/** Declares the commands about the provider that manages accounts. */
export function addScim(setting: Setting): void {
  const { program, data } = setting
  const scim = program.command('scim').description('let an identity provider manage accounts')
  scim
    .command('token')
    .description('create and print the bearer token; an earlier one stops working')
    .addOption(data())
    .action(async (options: { data: string }) => await run(setting, options.data, 'scim token', {}))
  scim
    .command('remove')
    .description('remove the token')
    .addOption(data())
    .action(
      async (options: { data: string }) => await run(setting, options.data, 'scim remove', {}),
    )
}

/** Declares the commands about OpenID Connect providers. */
export function addSingleSignOn(setting: Setting): void {
  const { program, shell, data } = setting
  const sso = program.command('sso').description('manage OpenID Connect providers for logging in')
  const usage = 'sso add keycloak --name Keycloak --issuer URL --client-id ID'
  sso
    .command('add <id>')
    .description('add or replace a provider; its client secret comes from standard input')
    .requiredOption('--name <name>', 'the label of its button')
    .requiredOption('--issuer <url>', 'its URL, without /.well-known/...')
    .requiredOption('--client-id <id>', 'the client ID of this server there')
    .option('--public', 'this server has no client secret there', false)
    .option('--scope <scope>', 'the scopes to request; default: openid profile email')
    .option(
      '--create-accounts',
      'create accounts at the first log-in, for people who may join',
      false,
    )
    .option('--trust-email', 'treat all its email addresses as verified', false)
    .option('--groups-claim <name>', "the claim that lists a user's groups; default: groups")
    .option('--allow-group <group>', 'let in only members of this group; repeatable', listed, [])
    .option(
      '--group <group=name>',
      'the user group for a group at the provider; repeatable',
      mapped,
      {},
    )
    .option('--role <group=role>', 'the role for a group at the provider; repeatable', mapped, {})
    .addOption(data())
    .action(async (id: string, options: AddOptions) => {
      await run(setting, options.data, 'sso add', {
        id,
        name: options.name,
        issuer: options.issuer,
        client_id: options.clientId,
        client_secret: options.public ? null : await readSecret(shell, 'client secret', usage),
        scope: options.scope,
        create_accounts: options.createAccounts,
        trust_email: options.trustEmail,
        groups_claim: options.groupsClaim,
        allowed_groups: options.allowGroup,
        groups: options.group,
        roles: options.role,
      })
    })
  sso
    .command('list')
    .description('list all providers, without their secrets')
    .addOption(data())
    .action(async (options: { data: string }) => await run(setting, options.data, 'sso list', {}))
  sso
    .command('remove <id>')
    .description('remove a provider; accounts stay')
    .addOption(data())
    .action(async (id: string, options: { data: string }) => {
      await run(setting, options.data, 'sso remove', { id })
    })
  sso
    .command('unlink <email>')
    .description(
      'unlink an account from its identities at all providers, for example after a provider was reinstalled',
    )
    .addOption(data())
    .action(async (email: string, options: { data: string }) => {
      await run(setting, options.data, 'sso unlink', { email })
    })
}
