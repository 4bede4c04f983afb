import { configVariables } from './config/variables.ts'

export type { BackupPlan, S3Access } from './config/backups.ts'
export type { IdentityProvider } from './config/identity-provider.ts'

type ConfigVariables = typeof configVariables

/** A server's configuration, read from the environment or passed in when embedding. */
export type Config = { readonly [Name in keyof ConfigVariables]: ConfigVariables[Name]['default'] }

/** @param choose returns the value for a declaration */
export function makeConfig(
  choose: (declared: ConfigVariables[keyof ConfigVariables]) => unknown,
): Config {
  const values = Object.entries(configVariables).map(([name, each]) => [name, choose(each)])
  return Object.fromEntries(values)
}

/** The configuration of an embedded server for which nothing is chosen. */
export const defaultConfig = makeConfig((declared) =>
  'embedded' in declared ? declared.embedded : declared.default,
)
