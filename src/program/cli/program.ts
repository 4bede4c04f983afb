import { Command, CommanderError, Option } from 'commander'
import { organizationProblems } from '#features/access/setup/actions.ts'
import { passwordLengths } from '#features/foundation/users/passwords.ts'
import { accountProblems } from '#features/foundation/users/rules.ts'
import { explain } from '#platform/store/refusals.ts'
import { environment } from '#program/config.ts'
import { defaultPort, loopback } from '#program/variables.ts'
import { inEnglish, type Sentence } from '#translations/translate.ts'
import { addHelp } from './help.ts'
import { addImport } from './import.ts'
import { addListeningOptions, type ListeningOptions, readListening } from './listening.ts'
import {
  addBackup,
  addConfig,
  addExport,
  addMail,
  addMaintenance,
  addService,
} from './operating.ts'
import { portNumber, time, UsageError, wholeNumber } from './options.ts'
import { readPassword } from './password.ts'
import { isWrongUse, topicOf } from './problems.ts'
import { addPush } from './push.ts'
import { run, type Setting } from './running.ts'
import { type DevOptions, dev, serve } from './serve.ts'
import { dataOption, settingOption, settleOptions } from './setting-options.ts'
import { placeOf, readSettings, type Settings } from './settings.ts'
import type { Shell } from './shell.ts'
import { addScim, addSingleSignOn } from './single-sign-on.ts'
import { unknownSettings } from './unknown-settings.ts'
import { addUpgrade } from './upgrade.ts'
import { versions } from './versions.ts'

const defaultDevPort = 9991

const roleNames = ['owner', 'admin', 'moderator', 'member', 'guest'] as const

/**
 * Runs the program.
 *
 * @param args without the names of the interpreter and the program
 * @returns the exit code: 0 success, 1 failure, 2 wrong usage
 */
export async function runCli(args: readonly string[], shell: Shell): Promise<number> {
  let settings: Settings | undefined
  try {
    settings = readSettings(args, shell.env ?? environment())
    for (const warning of unknownSettings(settings.env)) shell.err(`Warning: ${warning}\n`)
    const [first] = settings.args
    const isServe = first === undefined || (first.startsWith('-') && !/^(-h|--help)$/.test(first))
    if (first === '-V' || first === '--version') {
      shell.out(versions())
      return 0
    }
    const ended = { code: 0 }
    const program = createProgram(shell, settings, ended)
    await program.parseAsync([...(isServe ? ['serve'] : []), ...settings.args], { from: 'user' })
    return ended.code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    shell.err(`${placeOf(error, settings)}${explain(error)}\n`)
    const topic = topicOf(error)
    if (topic !== undefined) shell.err(`For help, run: parley help ${topic}\n`)
    return isWrongUse(error) ? 2 : 1
  }
}

function createProgram(terminal: Shell, settings: Settings, ended: { code: number }): Command {
  const shell = { ...terminal, env: settings.env }
  const program = new Command('parley')
    .description('A team chat server that speaks the Zulip API.')
    .exitOverride()
    .configureOutput({ writeOut: shell.out, writeErr: shell.err })
    .option('-V, --version', 'print the versions of Parley and its components')
    .option('--config <file>', 'a file of settings: see "parley config"')
    .showHelpAfterError('Run "parley --help" or "parley COMMAND --help" for usage.')
    .hook('preAction', (_, command) => settleOptions(command, shell.env))
  const serveCommand = program
    .command('serve')
    .description('run the server (the default command)')
    .addOption(dataOption())
    .addOption(
      settingOption(
        '--port <number>',
        'the port to listen on; default: 9990, or 443 with --domain',
      ),
    )
    .addOption(
      settingOption('--host <address>', 'the interface; default: 127.0.0.1, or all with --domain'),
    )
  addListeningOptions(serveCommand).action(({ data, port, host, ...options }: ServeArguments) => {
    const isPublic = options.domain !== undefined
    return serve(shell, {
      data,
      port: port ?? (isPublic ? 443 : defaultPort),
      host: host ?? (isPublic ? '::' : loopback),
      listening: readListening(options),
    })
  })
  program
    .command('dev')
    .description('run the development organization, whose API keys are public')
    .option('--data <folder>', 'store the data in a folder, not in memory')
    .option('--port <number>', 'the port to listen on', portNumber, defaultDevPort)
    .option('--host <address>', 'the interface to listen on', loopback)
    .option(
      '--expose',
      'accept host names other than localhost, and requests from web pages of other sites',
    )
    .option(
      '--messages <number>',
      'start with this number of generated messages instead of conversations; can be 0',
      wholeNumber,
    )
    .option('--seed-file <file>', 'start with the organization in this file (JSON)')
    .option('--hide-addresses', "show members placeholders instead of each other's email addresses")
    .option('--rate-limits', 'turn on rate limits')
    .option('--feature-level <number>', 'the feature level to announce', wholeNumber)
    .option('--time <time>', 'when the organization was created: "now" or a time', time)
    .option('--clock <time>', 'stop the clock at this time', time)
    .action((options: DevOptions) => dev(shell, options))
  const setting: Setting = {
    program,
    shell,
    data: dataOption,
    finish({ output, failed = false }) {
      shell.out(output)
      if (failed) ended.code = 1
    },
  }
  addInit(setting)
  addReactivate(setting)
  addUser(setting)
  addSingleSignOn(setting)
  addScim(setting)
  addBackup(setting)
  addImport(setting)
  addExport(setting)
  addMaintenance(setting)
  addMail(setting)
  addPush(setting)
  addConfig(setting, settings)
  addService(setting)
  addUpgrade(setting)
  addHelp(setting)
  return program
}

interface ServeArguments extends ListeningOptions {
  readonly data: string
  readonly port?: number
  readonly host?: string
}

interface Account {
  readonly data: string
  readonly email: string
  readonly fullName: string
}

function addInit(setting: Setting): void {
  const { program, shell, data } = setting
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
      requireNone(organizationProblems(args, passwordLengths({ fixture: false })))
      await run(setting, options.data, 'init', args)
    })
}

function addReactivate(setting: Setting): void {
  const { program, data } = setting
  program
    .command('reactivate')
    .description('reactivate a deactivated organization')
    .addOption(data())
    .action(async (options: { data: string }) => await run(setting, options.data, 'reactivate', {}))
}

function addUser(setting: Setting): void {
  const { program, shell, data } = setting
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
      requireNone(accountProblems(args, passwordLengths({ fixture: false })))
      await run(setting, options.data, 'user add', args)
    })
  user
    .command('list')
    .description('list all accounts')
    .addOption(data())
    .action(async (options: { data: string }) => await run(setting, options.data, 'user list', {}))
  user
    .command('deactivate <email>')
    .description('deactivate an account; its messages stay')
    .addOption(data())
    .action(async (email: string, options: { data: string }) => {
      await run(setting, options.data, 'user deactivate', { email })
    })
  user
    .command('reset-two-factor <email>')
    .description('turn off two-factor authentication for someone who has lost their device')
    .addOption(data())
    .action(async (email: string, options: { data: string }) => {
      await run(setting, options.data, 'user reset-two-factor', { email })
    })
  user
    .command('api-key <email>')
    .description('print the API key of an account')
    .option('--zuliprc', 'print a zuliprc file for bots', false)
    .addOption(data())
    .action(async (email: string, options: { data: string; zuliprc: boolean }) => {
      await run(setting, options.data, 'user api-key', { email, zuliprc: options.zuliprc })
    })
}

function requireNone(problems: Partial<Record<string, Sentence>>): void {
  const found = Object.values(problems).flatMap((each) => (each ? [inEnglish(each)] : []))
  if (found.length > 0) throw new UsageError(found.join('\n'))
}
