import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { defaultText, type Variable } from '#platform/config/variable.ts'
import { explain } from '#platform/store/refusals.ts'
import { variables } from '#program/variables.ts'
import { UsageError } from './options.ts'
import { WrongSetting } from './problems.ts'
import { isSetting, noSuchSetting } from './unknown-settings.ts'

/** Where the value of a setting comes from, the strongest first. */
type Source = 'command line' | 'environment' | 'file' | 'default'

export interface Settings {
  /** The environment, with the settings of the file where it lacks them. */
  readonly env: NodeJS.ProcessEnv
  /** The names of the settings that the file gives. */
  readonly fromFile: ReadonlySet<string>
  /** The arguments without `--config FILE`. */
  readonly args: readonly string[]
}

/**
 * Reads the file of settings: `--config FILE`, or else `PARLEY_CONFIG`. It holds lines such as
 * `PARLEY_PORT=80`, as systemd's `EnvironmentFile` does.
 *
 * @throws UsageError the file cannot be read, or has an unknown setting
 */
export function readSettings(args: readonly string[], env: NodeJS.ProcessEnv): Settings {
  const { file = env.PARLEY_CONFIG, rest } = takeConfig(args)
  if (!file) return { env, fromFile: new Set(), args: rest }
  const given = parseEnv(read(file))
  for (const name of Object.keys(given)) {
    if (name === 'PARLEY_CONFIG' || !isSetting(name)) {
      throw new WrongSetting(`${file}: ${noSuchSetting(name)}`)
    }
  }
  return {
    env: { ...given, ...env },
    fromFile: new Set(Object.keys(given).filter((name) => env[name] === undefined)),
    args: rest,
  }
}

function takeConfig(args: readonly string[]): { file?: string; rest: readonly string[] } {
  const i = args.findIndex((arg) => arg === '--config' || arg.startsWith('--config='))
  const option = args[i]
  if (option === undefined) return { rest: args }
  const isSeparate = option === '--config'
  const file = isSeparate ? args[i + 1] : option.slice('--config='.length)
  if (!file) throw new UsageError('--config needs the path of a file of settings.')
  return { file, rest: [...args.slice(0, i), ...args.slice(i + (isSeparate ? 2 : 1))] }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new WrongSetting(`The settings cannot be read: ${explain(error)}`)
  }
}

/**
 * What `parley config` prints: each setting with its value, where that comes from, and its meaning.
 *
 * @param options values that the command line gives
 */
export function describeSettings(
  { env, fromFile }: Settings,
  options: Readonly<Record<string, string | undefined>>,
): string {
  const blocks = variables.map((variable) => {
    const [value, source] = find(variable, env, fromFile, options)
    return `${variable.name} = ${value}  (${source})\n    ${variable.meaning}\n`
  })
  return blocks.join('')
}

function find(
  variable: Variable,
  env: NodeJS.ProcessEnv,
  fromFile: ReadonlySet<string>,
  options: Readonly<Record<string, string | undefined>>,
): [string, Source] {
  const chosen = variable.option && options[variable.option]
  if (chosen !== undefined) return [chosen, 'command line']
  const given = env[variable.name]
  if (!given) return [defaultText(variable), 'default']
  return [shown(variable, given), fromFile.has(variable.name) ? 'file' : 'environment']
}

function shown({ secret }: Variable, value: string): string {
  if (secret === 'all') return 'hidden'
  if (secret !== 'password') return value
  return URL.canParse(value) ? withoutPassword(new URL(value)) : 'hidden'
}

function withoutPassword(url: URL): string {
  if (url.password !== '') url.password = 'hidden'
  return url.href
}
