import type { Command, Option } from 'commander'
import { domainUrl, readConfig, readLaunch } from '#program/config.ts'
import { control } from '#program/control/client.ts'
import type { CommandArgs, CommandName } from '#program/control/commands.ts'
import type { CommandResult } from '#program/task.ts'
import { defaultPort, loopback } from '#program/variables.ts'
import { watched } from './progress.ts'
import type { Shell } from './shell.ts'

/** The parameters that all declarations of commands share. */
export interface Setting {
  readonly program: Command
  readonly shell: Shell
  /** Creates the option `--data`. */
  readonly data: () => Option
  /** Prints the result of a command, and sets the exit code. */
  finish(outcome: CommandResult): void
}

/**
 * Runs a command in the server that uses the data folder, or here if none does, and prints its
 * output.
 */
export async function run<N extends CommandName>(
  setting: Setting,
  data: string,
  name: N,
  args: CommandArgs<N>,
): Promise<void> {
  setting.finish(await outcomeOf(setting, data, name, args))
}

/** The same, for a command that continues afterwards. */
export async function outcomeOf<N extends CommandName>(
  { shell }: Setting,
  data: string,
  name: N,
  args: CommandArgs<N>,
): Promise<CommandResult> {
  const config = readConfig(shell.env)
  const { port, domain } = readLaunch(shell.env)
  const known = config.externalUrl ?? (domain ? domainUrl(domain, port ?? 443) : null)
  const options = {
    data,
    config: { ...config, externalUrl: known, logLevel: 'silent' },
    address: `http://${loopback}:${port ?? defaultPort}`,
  }
  return await watched(shell, (task) => control(options, name, args, task))
}
