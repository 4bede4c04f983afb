import * as v from 'valibot'
import { createUser, deactivateUser } from '#features/access/accounts/actions.ts'
import { zuliprc } from '#features/access/accounts/zuliprc.ts'
import { deleteScimToken, replaceScimToken } from '#features/access/scim/queries.ts'
import { setUpOrganization } from '#features/access/setup/actions.ts'
import { switchOff } from '#features/access/two-factor/actions.ts'
import { canSendMail } from '#features/foundation/mail/actions.ts'
import { mailServerOf } from '#features/foundation/mail/problems.ts'
import { tryMail } from '#features/foundation/mail/trial.actions.ts'
import { findRealm, requireRealm } from '#features/foundation/realm/queries.ts'
import { hashCost, hashPassword, passwordLengths } from '#features/foundation/users/passwords.ts'
import {
  findUserByAddress,
  listUsers,
  roles,
  type User,
} from '#features/foundation/users/queries.ts'
import { requireAddress, requireNewAccount } from '#features/foundation/users/rules.ts'
import { historyFormats, historyScopes } from '#features/organization/exports/history/scopes.ts'
import { zulipReleases } from '#features/organization/exports/zulip/format.ts'
import { reactivateRealm } from '#features/organization/organization-settings/deactivation.actions.ts'
import { startOnboarding } from '#features/people/onboarding/actions.ts'
import { welcomeNewcomer } from '#features/people/welcome/actions.ts'
import type { SystemContext } from '#platform/context.ts'
import { badRequest } from '#platform/errors.ts'
import { type Task, unwatched } from '#platform/task.ts'
import { backUp, described } from '#program/backup/backup.ts'
import { checkRunning } from '#program/maintenance/check.ts'
import { compact } from '#program/maintenance/compact.ts'
import type { CommandResult } from '#program/task.ts'
import { exportHistory } from './export-history.ts'
import {
  addProvider,
  describeProviders,
  removeProvider,
  unlinkAccount,
} from './identity-providers.ts'

/** A command of the operator. */
interface Command<A> {
  readonly args: v.GenericSchema<unknown, A>
  /** Runs the command. @returns the text to print, also for a failure */
  run(server: SystemContext, args: A, task: Task): Promise<string | CommandResult>
}

function command<A>(args: Command<A>['args'], run: Command<A>['run']): Command<A> {
  return { args, run }
}

const account = { email: v.string(), fullName: v.string(), password: v.string() }
const byEmail = v.object({ email: v.string() })

/**
 * The commands by name. If a server runs on the data folder, it runs them, because only it can send
 * events to clients; otherwise the shell's own process does.
 */
export const commands = {
  init: command(v.object({ ...account, organization: v.string() }), async (server, args) => {
    const owner = await setUpOrganization(server, args)
    return `${args.organization} is set up. Its owner is ${owner.fullName} <${owner.email}>.\n`
  }),

  backup: command(v.object({ to: v.string() }), async (server, { to }, task) =>
    described(await backUp(server, to, task)),
  ),

  export: command(
    v.object({
      to: v.string(),
      format: v.picklist(historyFormats),
      scope: v.picklist(historyScopes),
      release: v.picklist(zulipReleases),
      leanFlags: v.boolean(),
    }),
    exportHistory,
  ),

  check: command(v.object({}), (server, _, task) => checkRunning(server, task)),

  compact: command(v.object({}), (server, _, task) => compact(server, task)),

  reactivate: command(v.object({}), async ({ store }) => {
    await store.write(reactivateRealm)
    return `People can use ${requireRealm(store).name} again.\n`
  }),

  'mail test': command(v.object({ address: v.string() }), async (server, { address }) => {
    const { config } = server
    if (!canSendMail(config)) {
      throw badRequest('No mail server is configured. Set PARLEY_SMTP_URL and PARLEY_URL.')
    }
    const problem = await tryMail(server, requireAddress(address))
    if (problem !== undefined) return { output: `${problem}\n`, failed: true }
    if (config.keepMail) return `The mail is at ${server.realmUrl}/emails/.\n`
    const { host, port } = mailServerOf(config.smtpUrl ?? '')
    return `${host}, port ${port}, took the mail to ${address}. Check that it arrives, and not in the spam folder.\n`
  }),

  'user add': command(
    v.object({ ...account, role: v.picklist(['owner', 'admin', 'moderator', 'member', 'guest']) }),
    async (server, args) => {
      requireNewAccount(args, passwordLengths(server.config))
      const passwordHash = await hashPassword(args.password, hashCost(server.config))
      const user = await server.store.write((tx) => {
        const created = createUser(tx, {
          ...args,
          // The operator has verified it.
          isEmailVerified: true,
          role: roles[args.role],
          passwordHash,
          joinDefaultChannels: true,
        })
        startOnboarding(tx, created)
        welcomeNewcomer(tx, server, created)
        return created
      })
      return `${user.fullName} <${user.email}> is user ${user.id}.\n`
    },
  ),

  'scim token': command(
    v.object({}),
    async ({ store }) => `${await store.write(replaceScimToken)}\n`,
  ),

  'scim remove': command(v.object({}), async ({ store }) => {
    if (!(await store.write(deleteScimToken))) throw badRequest('There is no token for SCIM.')
    return 'Identity providers can no longer manage accounts.\n'
  }),

  'sso add': command(v.looseObject({}), addProvider),

  'sso list': command(v.object({}), async (server) => describeProviders(server)),

  'sso remove': command(v.object({ id: v.string() }), (server, { id }) =>
    removeProvider(server, id),
  ),

  'sso unlink': command(byEmail, (server, { email }) => unlinkAccount(server, email)),

  'user list': command(v.object({}), async ({ store }) => table(listUsers(store))),

  'user deactivate': command(byEmail, async ({ store, queues }, { email }) => {
    const user = requireUser(findUserByAddress(store, email), email)
    if (!user.isActive) throw badRequest(`${user.email} is already deactivated.`)
    await store.write((tx) => {
      deactivateUser(tx, queues, requireUser(findUserByAddress(tx, email), email))
    })
    return `${user.fullName} <${user.email}> is deactivated.\n`
  }),

  'user reset-two-factor': command(byEmail, async (server, { email }) => {
    const user = requireUser(findUserByAddress(server.store, email), email)
    await server.store.write((tx) => switchOff(tx, user, 'secondFactorReset'))
    return `${user.fullName} <${user.email}> can now log in with the password alone.\n`
  }),

  'user api-key': command(
    v.object({ email: v.string(), zuliprc: v.boolean() }),
    async (server, args, task) => {
      const user = requireUser(findUserByAddress(server.store, args.email), args.email)
      if (args.zuliprc && server.config.externalUrl === null) {
        // A running server knows the path, and nobody reads its notes.
        task.note?.(`The server is stopped, so its address ${server.realmUrl} is a guess.`)
      }
      return args.zuliprc ? zuliprc(user, server.realmUrl) : `${user.apiKey}\n`
    },
  ),
} as const

/** The commands that change nothing in the database. */
const reading: readonly string[] = [
  'backup',
  'export',
  'check',
  'mail test',
  'sso list',
  'user list',
  'user api-key',
]

export const onlyReads = (name: CommandName): boolean => reading.includes(name)

export type CommandName = keyof typeof commands
export type CommandArgs<N extends CommandName> = v.InferOutput<(typeof commands)[N]['args']>

/**
 * Runs a command.
 *
 * @throws BAD_REQUEST and other errors for the operator, also if the command does not exist
 */
export async function runCommand(
  server: SystemContext,
  name: string,
  args: unknown,
  task: Task = unwatched,
): Promise<CommandResult> {
  const found = Object.hasOwn(commands, name) ? commands[name as CommandName] : undefined
  if (!found) throw badRequest(`There is no command '${name}'.`)
  if (name !== 'init' && !findRealm(server.store)) {
    throw badRequest('There is no organization yet: "parley init" creates one.')
  }
  const ended = await found.run(server, v.parse(found.args, args) as never, task)
  return typeof ended === 'string' ? { output: ended } : ended
}

function requireUser(user: User | undefined, email: string): User {
  if (!user || user.isSystemBot) throw badRequest(`No account has the address ${email}.`)
  return user
}

const roleNames = new Map<number, string>(Object.entries(roles).map(([name, role]) => [role, name]))

function table(users: readonly User[]): string {
  const rows = users
    .filter((user) => !user.isSystemBot)
    .map((user) => [
      String(user.id),
      user.botType === null ? (roleNames.get(user.role) ?? '') : 'bot',
      user.isActive ? 'active' : 'deactivated',
      user.email,
      user.fullName,
    ])
  const all = [['id', 'role', 'state', 'email', 'name'], ...rows]
  const widths = [0, 1, 2, 3].map((i) =>
    all.reduce((most, row) => Math.max(most, row[i]?.length ?? 0), 0),
  )
  const line = (row: string[]) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')
  return `${all.map((row) => line(row).trimEnd()).join('\n')}\n`
}
