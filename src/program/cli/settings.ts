import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { InvalidSetting } from '#platform/config/invalid-setting.ts'
import { defaultText, parseSetting, type Variable, valueText } from '#platform/config/variable.ts'
import { explain } from '#platform/store/refusals.ts'
import { readConfig } from '#program/config.ts'
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
  /** The path of the file; undefined: there is none. */
  readonly file?: string
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
  // A variable without a value is as one that is not set.
  const own = Object.entries(env).filter(([, value]) => value)
  return {
    env: { ...given, ...Object.fromEntries(own) },
    file,
    fromFile: new Set(Object.keys(given).filter((name) => !env[name])),
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

/** Where the setting is that an error is about, in front of its message. */
export function placeOf(error: unknown, settings: Settings | undefined): string {
  const isInFile = error instanceof InvalidSetting && settings?.fromFile.has(error.setting)
  // An option wins over the file, and its message names it.
  return isInFile && error.message.startsWith(error.setting) ? `${settings?.file}: ` : ''
}

/**
 * What `parley config` prints: each setting with the value in force, where that comes from, and its
 * meaning.
 *
 * @param options values that the command line gives
 * @returns the text, and what is wrong with the settings
 */
export function describeSettings(
  settings: Settings,
  options: Readonly<Record<string, string | undefined>>,
): { readonly text: string; readonly problems: readonly string[] } {
  const problems: string[] = []
  const attempt = <T>(read: () => T): T | undefined => {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof InvalidSetting)) throw error
      problems.push(`${placeOf(error, settings)}${error.message}`)
      return undefined
    }
  }
  const blocks = variables.map((variable) => {
    const { source, place, given } = find(variable, settings, options)
    const value =
      given === undefined
        ? defaultText(variable)
        : (attempt(() => shown(variable, given, place)) ?? 'wrong: see the end')
    return `${variable.name} = ${value}  (${source})\n    ${variable.meaning}\n`
  })
  // What each one alone does not show: settings that need others.
  if (problems.length === 0) attempt(() => readConfig(settings.env))
  return { text: blocks.join(''), problems }
}

interface GivenSetting {
  readonly source: Source
  /** What messages call the setting. */
  readonly place: string
  readonly given?: string
}

function find(
  { name, option }: Variable,
  { env, fromFile }: Settings,
  options: Readonly<Record<string, string | undefined>>,
): GivenSetting {
  const chosen = option && options[option]
  if (chosen !== undefined) return { source: 'command line', place: `--${option}`, given: chosen }
  const given = env[name]
  if (!given) return { source: 'default', place: name }
  return { source: fromFile.has(name) ? 'file' : 'environment', place: name, given }
}

function shown(variable: Variable, given: string, place: string): string {
  const value = parseSetting(variable, given, place)
  if (variable.secret === 'all') return 'hidden'
  return variable.secret === 'password' ? withoutPassword(new URL(String(value))) : valueText(value)
}

function withoutPassword(url: URL): string {
  if (url.password !== '') url.password = 'hidden'
  return url.href
}
