import type { Command, Option } from 'commander'
import { defaultPort, loopback, readConfig, readLaunch } from '#program/config.ts'
import { control } from '#program/control/client.ts'
import type { CommandArgs, CommandName } from '#program/control/commands.ts'
import type { Outcome } from '#program/task.ts'
import { watched } from './progress.ts'
import type { Shell } from './shell.ts'

/** What the declarations of commands share. */
export interface Setting {
  readonly program: Command
  readonly shell: Shell
  /** Makes the option `--data`. */
  readonly data: () => Option
  /** Prints the outcome of a command, and sets the exit code. */
  finish(outcome: Outcome): void
}

/**
 * Runs a command in the server that uses the data folder, or here if none does, and prints its
 * output.
 */
export async function run<N extends CommandName>(
  { shell, finish }: Setting,
  data: string,
  name: N,
  args: CommandArgs<N>,
): Promise<void> {
  const config = readConfig(shell.env)
  const port = readLaunch(shell.env).port ?? defaultPort
  const externalUrl = config.externalUrl ?? `http://${loopback}:${port}`
  const options = { data, config: { ...config, externalUrl, logLevel: 'silent' } }
  finish(await watched(shell, (task) => control(options, name, args, task)))
}
