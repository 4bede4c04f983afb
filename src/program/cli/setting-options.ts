import { type Command, Option } from 'commander'
import { parseSetting, readerOf, type Variable } from '#platform/config/variable.ts'
import { variables } from '#program/variables.ts'

/** An option that overrides a variable: it takes the same values, and defaults to its value. */
class SettingOption extends Option {
  readonly variable: Variable

  constructor(flags: string, description: string) {
    super(flags, description)
    const declared = variables.find(({ option }) => option === this.name())
    if (!declared) throw new Error(`No setting has the option ${this.name()}.`)
    this.variable = declared
  }
}

export const settingOption = (flags: string, description: string): Option =>
  new SettingOption(flags, description)

/** The option of all commands that use the data folder. */
export const dataOption = (): Option =>
  settingOption('--data <folder>', 'the data folder; default: PARLEY_DATA, or else data')

/**
 * Gives a command that is about to run the values of its setting options.
 *
 * @throws InvalidSetting malformed, on the command line or in the variable
 */
export function settleOptions(command: Command, env: NodeJS.ProcessEnv): void {
  const read = readerOf(env)
  for (const option of command.options) {
    if (!(option instanceof SettingOption)) continue
    const { variable } = option
    const given: string | undefined = command.getOptionValue(option.attributeName())
    const value =
      given === undefined ? read(variable) : parseSetting(variable, given, `--${option.name()}`)
    command.setOptionValue(option.attributeName(), value)
  }
}
