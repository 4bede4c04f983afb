import * as v from 'valibot'
import { backUp } from '#backup/backup.ts'
import type { Context } from '#context.ts'
import { badRequest } from '#errors.ts'
import { reactivateRealm } from '#realm/deactivation.ts'
import { findRealm, requireRealm } from '#realm/queries.ts'
import { setUpOrganization } from '#realm/set-up.ts'
import { createUser, deactivateUser } from '#users/actions.ts'
import { hashPassword } from '#users/passwords.ts'
import { findUserByAddress, listUsers, roles, type User } from '#users/queries.ts'
import { requireNewAccount } from '#users/rules.ts'
import { zuliprc } from '#users/zuliprc.ts'
import { greet } from '#welcome/actions.ts'

/** Something an operator does from the shell. */
interface Command<A> {
  readonly args: v.GenericSchema<unknown, A>
  /** Does it, and returns what to print. */
  run(server: Context, args: A): Promise<string>
}

function command<A>(args: Command<A>['args'], run: Command<A>['run']): Command<A> {
  return { args, run }
}

const account = { email: v.string(), fullName: v.string(), password: v.string() }
const byEmail = v.object({ email: v.string() })

/**
 * What the shell can do, by name: run in the shell's own process while no server runs on the data
 * folder, and otherwise by that server, because it alone can tell clients.
 */
export const commands = {
  init: command(v.object({ ...account, organization: v.string() }), async (server, args) => {
    const owner = await setUpOrganization(server, args)
    return `${args.organization} is set up. Its owner is ${owner.fullName} <${owner.email}>.\n`
  }),

  backup: command(v.object({ to: v.string() }), (server, { to }) => backUp(server, to)),

  reactivate: command(v.object({}), async ({ store }) => {
    await store.write(reactivateRealm)
    return `People can use ${requireRealm(store).name} again.\n`
  }),

  'user add': command(
    v.object({ ...account, role: v.picklist(['owner', 'admin', 'moderator', 'member', 'guest']) }),
    async (server, args) => {
      requireNewAccount(args)
      const passwordHash = await hashPassword(args.password)
      const user = await server.store.write((tx) => {
        const created = createUser(tx, {
          ...args,
          role: roles[args.role],
          passwordHash,
          joinDefaultChannels: true,
        })
        greet(tx, server, created)
        return created
      })
      return `${user.fullName} <${user.email}> is user ${user.id}.\n`
    },
  ),

  'user list': command(v.object({}), async ({ store }) => table(listUsers(store))),

  'user deactivate': command(byEmail, async ({ store, queues }, { email }) => {
    const user = requireUser(findUserByAddress(store, email), email)
    if (!user.isActive) throw badRequest(`${user.email} is deactivated already.`)
    await store.write((tx) => {
      deactivateUser(tx, queues, requireUser(findUserByAddress(tx, email), email))
    })
    return `${user.fullName} <${user.email}> is deactivated.\n`
  }),

  'user api-key': command(
    v.object({ email: v.string(), zuliprc: v.boolean() }),
    async (server, args) => {
      const user = requireUser(findUserByAddress(server.store, args.email), args.email)
      return args.zuliprc ? zuliprc(user, server.realmUrl) : `${user.apiKey}\n`
    },
  ),
} as const

export type CommandName = keyof typeof commands
export type CommandArgs<N extends CommandName> = v.InferOutput<(typeof commands)[N]['args']>

/**
 * Runs a command.
 *
 * @throws BAD_REQUEST and other errors for the operator; a command that does not exist
 */
export async function runCommand(server: Context, name: string, args: unknown): Promise<string> {
  const found = Object.hasOwn(commands, name) ? commands[name as CommandName] : undefined
  if (!found) throw badRequest(`There is no command '${name}'.`)
  if (name !== 'init' && !findRealm(server.store)) {
    throw badRequest('There is no organization yet: "parley init" creates one.')
  }
  return await found.run(server, v.parse(found.args, args) as never)
}

function requireUser(user: User | undefined, email: string): User {
  if (!user || user.isSystemBot) throw badRequest(`Nobody here has the address ${email}.`)
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
  const widths = [0, 1, 2, 3].map((i) => Math.max(...all.map((row) => row[i]?.length ?? 0)))
  const line = (row: string[]) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')
  return `${all.map((row) => line(row).trimEnd()).join('\n')}\n`
}
