import { resolve } from 'node:path'
import { Command, CommanderError, Option } from 'commander'
import { organizationProblems } from '#features/setup/actions.ts'
import { passwordLengths } from '#features/users/passwords.ts'
import { accountProblems } from '#features/users/rules.ts'
import { restore } from '#program/backup/restore.ts'
import { readConfig, readLaunch } from '#program/config.ts'
import { control } from '#program/control/client.ts'
import type { CommandArgs, CommandName } from '#program/control/commands.ts'
import { portNumber, time, UsageError, wholeNumber } from './options.ts'
import { readPassword } from './password.ts'
import { type DevOptions, dev, type ServeOptions, serve } from './serve.ts'
import type { Shell } from './shell.ts'

/** The default ports, of `serve` and of `dev`, and the default interface. */
const defaultPort = '9990'
const defaultDevPort = '9991'
const loopback = '127.0.0.1'

const roleNames = ['owner', 'admin', 'moderator', 'member', 'guest'] as const

/**
 * Runs the program.
 *
 * @param args without the names of the interpreter and the program
 * @returns the exit code: 0 success, 1 failure, 2 wrong usage
 */
export async function runCli(args: readonly string[], shell: Shell): Promise<number> {
  const [first] = args
  const isServe = first === undefined || (first.startsWith('-') && !/^(-h|--help)$/.test(first))
  try {
    await createProgram(shell).parseAsync(isServe ? ['serve', ...args] : [...args], {
      from: 'user',
    })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    shell.err(`${error instanceof Error ? error.message : error}\n`)
    return error instanceof UsageError ? 2 : 1
  }
}

function createProgram(shell: Shell): Command {
  const program = new Command('parley')
    .description('A team chat server that speaks the Zulip API.')
    .exitOverride()
    .configureOutput({ writeOut: shell.out, writeErr: shell.err })
    .showHelpAfterError('Run "parley --help" or "parley COMMAND --help" for usage.')
  const launch = readLaunch(shell.env)
  const data = () =>
    new Option('--data <folder>', 'the data folder').default(launch.data, launch.data)
  program
    .command('serve')
    .description('run the server (the default command)')
    .addOption(data())
    .option('--port <number>', 'the port to listen on', portNumber, defaultPortOf(launch.port))
    .option('--host <address>', 'the interface to listen on', launch.host ?? loopback)
    .action((options: ServeOptions) => serve(shell, options))
  program
    .command('dev')
    .description('run the development organization, whose API keys are public')
    .option('--data <folder>', 'store the data in a folder, not in memory')
    .option('--port <number>', 'the port to listen on', portNumber, portNumber(defaultDevPort))
    .option('--host <address>', 'the interface to listen on', loopback)
    .option('--expose', 'accept other host names than localhost, and web pages of other sites')
    .option('--messages <number>', 'the number of messages to create at the start', wholeNumber)
    .option('--seed-file <file>', 'begin with the organization in this file (JSON)')
    .option('--rate-limits', 'turn on rate limits')
    .option('--feature-level <number>', 'the feature level to announce', wholeNumber)
    .option('--time <time>', 'when the organization was created: "now" or a time', time)
    .option('--clock <time>', 'stop the clock at this time', time)
    .action((options: DevOptions) => dev(shell, options))
  addInit(program, shell, data)
  addReactivate(program, shell, data)
  addUser(program, shell, data)
  addBackup(program, shell, data)
  return program
}

function defaultPortOf(fromEnvironment: string | undefined): number {
  try {
    return portNumber(fromEnvironment ?? defaultPort)
  } catch {
    throw new UsageError('PARLEY_PORT must be a number from 0 to 65535.')
  }
}

interface Account {
  readonly data: string
  readonly email: string
  readonly fullName: string
}

function addInit(program: Command, shell: Shell, data: () => Option): void {
  const usage = 'init --org NAME --email ADDRESS --full-name NAME'
  program
    .command('init')
    .description('create the organization and its owner; the password comes from standard input')
    .requiredOption('--org <name>', 'the name of the organization')
    .requiredOption('--email <address>', "the owner's email address")
    .requiredOption('--full-name <name>', "the owner's name")
    .addOption(data())
    .action(async (options: Account & { org: string }) => {
      const { email, fullName, org: organization } = options
      const args = { organization, email, fullName, password: await readPassword(shell, usage) }
      requireNone(organizationProblems(args, passwordLengths(readConfig(shell.env))))
      await run(shell, options.data, 'init', args)
    })
}

function addReactivate(program: Command, shell: Shell, data: () => Option): void {
  program
    .command('reactivate')
    .description('reactivate a deactivated organization')
    .addOption(data())
    .action(async (options: { data: string }) => await run(shell, options.data, 'reactivate', {}))
}

function addUser(program: Command, shell: Shell, data: () => Option): void {
  const user = program.command('user').description('manage accounts')
  const usage = 'user add --email ADDRESS --full-name NAME'
  user
    .command('add')
    .description('create an account; the password comes from standard input')
    .requiredOption('--email <address>', 'their email address')
    .requiredOption('--full-name <name>', 'their name')
    .addOption(new Option('--role <role>', 'their role').choices(roleNames).default('member'))
    .addOption(data())
    .action(async (options: Account & { role: (typeof roleNames)[number] }) => {
      const { email, fullName, role } = options
      const args = { email, fullName, role, password: await readPassword(shell, usage) }
      requireNone(accountProblems(args, passwordLengths(readConfig(shell.env))))
      await run(shell, options.data, 'user add', args)
    })
  user
    .command('list')
    .description('list all accounts')
    .addOption(data())
    .action(async (options: { data: string }) => await run(shell, options.data, 'user list', {}))
  user
    .command('deactivate <email>')
    .description('deactivate an account; its messages stay')
    .addOption(data())
    .action(async (email: string, options: { data: string }) => {
      await run(shell, options.data, 'user deactivate', { email })
    })
  user
    .command('api-key <email>')
    .description('print the API key of an account')
    .option('--zuliprc', 'print a zuliprc file for bots', false)
    .addOption(data())
    .action(async (email: string, options: { data: string; zuliprc: boolean }) => {
      await run(shell, options.data, 'user api-key', { email, zuliprc: options.zuliprc })
    })
}

function addBackup(program: Command, shell: Shell, data: () => Option): void {
  program
    .command('backup <folder>')
    .description('copy all data to a new folder; works while the server runs')
    .addOption(data())
    .action(async (folder: string, options: { data: string }) => {
      await run(shell, options.data, 'backup', { to: resolve(folder) })
    })
  program
    .command('restore <folder>')
    .description('create the data folder from a backup; it must not contain data')
    .addOption(data())
    .action(async (folder: string, options: { data: string }) => {
      shell.out(await restore(resolve(folder), options.data))
    })
}

function requireNone(problems: Partial<Record<string, string>>): void {
  const found = Object.values(problems)
  if (found.length > 0) throw new UsageError(found.join('\n'))
}

/**
 * Runs a command in the server that uses the data folder, or here if none does, and prints its
 * output.
 */
async function run<N extends CommandName>(
  shell: Shell,
  data: string,
  name: N,
  args: CommandArgs<N>,
): Promise<void> {
  const config = readConfig(shell.env)
  const port = readLaunch(shell.env).port ?? defaultPort
  const externalUrl = config.externalUrl ?? `http://${loopback}:${port}`
  const options = { data, config: { ...config, externalUrl, logLevel: 'silent' } }
  shell.out(await control(options, name, args))
}
