import { createUser } from '#features/access/accounts/actions.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { updateApiAddress } from '#features/foundation/users/address-changes.actions.ts'
import { placeholderOwner } from '#features/foundation/users/addresses.queries.ts'
import {
  countActiveOwners,
  findUser,
  findUserByAddress,
  listUsers,
  roles,
  type User,
  updateUser,
} from '#features/foundation/users/queries.ts'
import { requireAddress, requireFullName } from '#features/foundation/users/rules.ts'
import { badRequest } from '#platform/errors.ts'
import { sentence } from '#translations/translate.ts'
import { reasons } from './report.ts'
import { type Key, type PersonItem, personRoles } from './stream.ts'
import type { Work } from './writer/work.actions.ts'

/** The person who becomes an owner, as the operator names them. */
export interface NamedOwner {
  readonly email: string
  /** The name of someone who is not in the export, and gets an account. */
  readonly fullName?: string | undefined
}

/** The owner who imports in a browser. */
export interface Founder {
  /** Their key in the export; undefined: they are not in it. */
  readonly key?: Key | undefined
  /** The name of someone who is not in the export. */
  readonly fullName: string
  /** Undefined: as in the export. */
  readonly email?: string | undefined
  /** Null: they log in by single sign-on. */
  readonly passwordHash: string | null
}

/** Someone of an export. */
export interface ImportedPerson {
  readonly key: Key
  readonly name: string
  /** Undefined: neither the export nor anyone else has it. */
  readonly email: string | undefined
  readonly role: PersonItem['role']
}

/**
 * Makes someone the owner who is named, and checks that there is one, when all people are known and
 * nothing else has been done.
 *
 * @throws BAD_REQUEST nobody is or becomes an owner
 */
export function writeOwner(
  work: Work,
  { founder, owner }: { readonly founder?: Founder | undefined; readonly owner?: NamedOwner },
): void {
  if (founder) writeFounder(work, founder)
  if (owner) writeNamed(work, owner)
  if (countActiveOwners(work.tx) > 0) return
  throw badRequest(
    `Nobody in the export is an active owner of the organization. Name one with --owner ADDRESS.${known(work)} ${wayForOthers}`,
  )
}

const wayForOthers = 'For someone who is not in the export, add --owner-name NAME.'

function writeNamed(work: Work, { email, fullName }: NamedOwner): void {
  const { tx } = work
  const user = findUserByAddress(tx, email)
  if (fullName !== undefined) {
    if (user) {
      throw badRequest(
        `${email} is the address of ${user.fullName} in the export: leave out --owner-name.`,
      )
    }
    const wanted = {
      email: requireAddress(email),
      fullName: requireFullName(tx, fullName),
      role: roles.owner,
      joinDefaultChannels: true,
    }
    updateUser(tx, createUser(tx, wanted).id, { awaitsFirstLogin: true })
    return
  }
  if (!user || user.botType !== null) {
    throw badRequest(`Nobody in the export has the address ${email}.${known(work)} ${wayForOthers}`)
  }
  updateUser(tx, user.id, { role: roles.owner, isActive: true })
}

/** How many people of an export are named where none of them is the owner. */
const mostNamed = 10

/** A sentence with some of those who could be the owner, those first who may do most. */
function known(work: Work): string {
  const people = listUsers(work.tx)
    .filter(({ botType }) => botType === null)
    .toSorted((a, b) => Number(b.isActive) - Number(a.isActive) || a.role - b.role || a.id - b.id)
  const { changed, imported = 0 } = work.notes.tables().people ?? {}
  if (imported <= (changed?.placeholder?.count ?? 0)) return unread(work)
  const named = people.slice(0, mostNamed).map((user) => {
    const email = addressOf(work, user)
    return `${user.fullName} (${email ?? 'without an address'})`
  })
  const more = people.length - named.length
  return ` The export has ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`
}

const unreadable = ['not-json', 'bad-encoding', 'cut-off', 'too-long', 'bad-value'] as const

/** Why the export seems to have nobody, such as a file in an unknown encoding. */
function unread({ notes }: Work): string {
  const skipped = notes.tables().people?.skipped ?? {}
  const reason = unreadable.find((each) => skipped[each] !== undefined)
  if (reason === undefined) return ' The export has no people.'
  const examples = skipped[reason]?.examples ?? []
  const such = examples.length > 0 ? ` (${examples.join(', ')})` : ''
  return ` No person of the export could be read${such}: ${reasons[reason]}.`
}

/** @throws BAD_REQUEST the address is someone else's; nobody in the export has that key */
function writeFounder(work: Work, founder: Founder): void {
  const { people, tx } = work
  const { email, fullName, key, passwordHash } = founder
  if (key === undefined) {
    const wanted = { email: email ?? '', fullName, role: roles.owner, joinDefaultChannels: true }
    const user = createUser(tx, wanted)
    updateUser(tx, user.id, { passwordHash })
    return
  }
  const user = findUser(tx, people.get(key) ?? 0)
  if (!user || user.botType !== null) throw badRequest(sentence('Choose which person you are.'))
  const address = email?.trim() ?? user.email
  const other = findUserByAddress(tx, address)
  if ((other && other.id !== user.id) || placeholderOwner(tx, address) !== undefined) {
    throw badRequest(sentence('The address belongs to someone else in the export.'))
  }
  const changed = updateUser(tx, user.id, {
    role: roles.owner,
    isActive: true,
    awaitsFirstLogin: false,
    passwordHash,
    email: address,
    emailKey: address.toLowerCase(),
  })
  updateApiAddress(tx, changed)
}

/** The people of an export, without bots and those who are deactivated. */
export function peopleOf(work: Work): ImportedPerson[] {
  return [...work.people].flatMap(([key, id]) => {
    const user = findUser(work.tx, id)
    if (!user?.isActive || user.botType !== null) return []
    const role = personRoles.find((each) => roles[each] === user.role) ?? 'member'
    return [{ key, name: user.fullName, email: addressOf(work, user), role }]
  })
}

/** Undefined: a placeholder stands for it. */
function addressOf({ source, tx }: Work, { email }: User): string | undefined {
  const domain = `@${realmSetting(tx, 'placeholder_domain')}`
  return email.startsWith(`${source.name}-`) && email.endsWith(domain) ? undefined : email
}
