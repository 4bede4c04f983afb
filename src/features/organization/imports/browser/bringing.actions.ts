import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { organizationNameProblem } from '#features/access/setup/actions.ts'
import { findRealm } from '#features/foundation/realm/queries.ts'
import { insertSession, type NewSession } from '#features/foundation/sessions/queries.ts'
import { hashCost, hashPassword, passwordLengths } from '#features/foundation/users/passwords.ts'
import {
  findUser,
  findUserByAddress,
  roles,
  type User,
} from '#features/foundation/users/queries.ts'
import {
  requireAddress,
  requireFullName,
  requirePassword,
} from '#features/foundation/users/rules.ts'
import {
  discardStaged,
  settleImport,
  stageInto,
  tryImport,
} from '#features/organization/imports/import.actions.ts'
import type { Founder, ImportedPerson } from '#features/organization/imports/owner.actions.ts'
import type { SourceOptions } from '#features/organization/imports/source.ts'
import type { ImportOptions } from '#features/organization/imports/stage.actions.ts'
import type { ImportReport } from '#features/organization/imports/summary.ts'
import { constantTimeEqual } from '#platform/constant-time.ts'
import type { ServedData, SystemContext } from '#platform/context.ts'
import { ApiError, badRequest } from '#platform/errors.ts'
import { isDiskFull } from '#platform/store/disk-full.ts'
import { databaseIn } from '#platform/store/folder.ts'
import type { Task } from '#platform/task.ts'
import { type Sentence, sentence, text } from '#translations/translate.ts'
import { type Inbox, openInbox } from './inbox.ts'
import { isUnused } from './queries.ts'

/** The progress of long work. */
export interface Progress {
  readonly label: string
  readonly done: number
  readonly total: number
  readonly unit: string
}

/** The contents of an export, from a trial. */
export interface Found {
  readonly report: ImportReport
  readonly people: readonly ImportedPerson[]
}

/** The state of an import in a browser. */
export type Step =
  | { readonly name: 'choosing'; readonly problem?: Sentence | undefined }
  | { readonly name: 'looking' | 'importing'; readonly progress: Progress }
  | { readonly name: 'found'; readonly found: Found; readonly problem?: Sentence | undefined }
  | { readonly name: 'done'; readonly report: ImportReport; readonly ownerEmail: string }

/** Information about an export that someone enters before it is read. */
export interface Hints {
  readonly source: SourceOptions
  readonly addresses: ReadonlyMap<string, string>
}

/** The identity that someone claims in the export. */
export interface Claim {
  /** The name of the organization. */
  readonly organization: string
  /** Undefined: nobody in the export. */
  readonly key: string | undefined
  readonly fullName: string
  readonly email: string
  readonly password: string
}

/** An owner who has shown their password, and may import for a while. */
interface Ticket {
  readonly key: string
  readonly userId: number
  readonly passwordHash: string | null
  readonly until: number
}

/** In milliseconds of `Clock.elapsed`: how long a ticket works, and the page with the report. */
const ticketLifetime = 24 * 3600 * 1000
const reportLifetime = 3600 * 1000

const beginning: Progress = { label: text('Starting'), done: 0, total: 0, unit: '' }

/**
 * An import in a browser: there is one at a time. It ends with the process, except for the uploaded
 * file.
 */
export class Bringing {
  readonly inbox: Inbox
  readonly #server: SystemContext
  readonly #data: ServedData
  #step: Step = { name: 'choosing' }
  #hints: Hints = { source: {}, addresses: new Map() }
  #ticket: Ticket | undefined
  /** The secret that opens the page with the report. */
  #finished: { readonly key: string; readonly until: number } | undefined
  #giveUp: AbortController | undefined

  constructor(server: SystemContext, data: ServedData) {
    this.#server = server
    this.#data = data
    this.inbox = openInbox(join(data.path, 'bringing'))
    if (findRealm(server.store) && !isUnused(server.store)) this.inbox.remove()
    removeTrials(data.path)
  }

  get step(): Step {
    return this.#step
  }

  /** Lets an owner import who has just entered their password. @returns the key of their page */
  admit({ id: userId, passwordHash }: User): string {
    const key = randomBytes(32).toString('hex')
    const until = this.#server.clock.elapsed() + ticketLifetime
    this.#ticket = { key, userId, passwordHash, until }
    if (this.#step.name === 'done') this.#step = { name: 'choosing' }
    return key
  }

  /**
   * Whether a key opens the import now: the set-up token while there is no organization, an owner's
   * while nobody has written, and either once all is done.
   *
   * @param user the logged-in user
   */
  opens(key: string, user: User | undefined): boolean {
    const { clock, setupToken, store } = this.#server
    if (this.#step.name === 'done') {
      const finished = this.#finished
      return (
        finished !== undefined &&
        finished.until > clock.elapsed() &&
        constantTimeEqual(key, finished.key)
      )
    }
    if (!findRealm(store)) return constantTimeEqual(key, setupToken)
    const ticket = this.#ticket
    if (!ticket || !constantTimeEqual(key, ticket.key)) return false
    return user?.id === ticket.userId && this.#mayGoOn(ticket)
  }

  #mayGoOn({ passwordHash, until, userId }: Ticket): boolean {
    const { clock, store } = this.#server
    const user = findUser(store, userId)
    const isOwner = user?.isActive === true && user.role === roles.owner
    return (
      isOwner && user.passwordHash === passwordHash && until > clock.elapsed() && isUnused(store)
    )
  }

  /** The owner who imports into their organization; undefined: there is no organization yet. */
  get owner(): User | undefined {
    const { store } = this.#server
    return this.#ticket && findRealm(store) ? findUser(store, this.#ticket.userId) : undefined
  }

  /**
   * Reads the uploaded file, in the background. @throws BAD_REQUEST there is none, or work is in
   * progress
   */
  look(hints: Hints): void {
    const file = this.inbox.current()
    if (!file || file.received !== file.length)
      throw badRequest(sentence('Choose an export file first.'))
    this.#requireIdle()
    this.#hints = hints
    let people: readonly ImportedPerson[] = []
    const onPeople = (found: readonly ImportedPerson[]) => {
      people = found
    }
    this.#begin('looking', async (task) => {
      const options = { ...this.#options(file.path), onPeople, isOwnerChosenLater: true }
      const report = await tryImport(options, task, this.#data.path)
      this.#step = { name: 'found', found: { report, people } }
    })
  }

  /**
   * Imports the export, in the background.
   *
   * @throws BAD_REQUEST something about the person is not valid, or it is not the moment
   */
  async start(key: string, claim: Claim): Promise<void> {
    const step = this.#requireIdle()
    const file = this.inbox.current()
    if (step.name !== 'found' || !file) throw badRequest(sentence('Preview the import first.'))
    const { people } = step.found
    const person = people.find((each) => each.key === claim.key)
    if (claim.key !== undefined && !person)
      throw badRequest(sentence('Choose which person you are.'))
    const founder = this.owner ? ownerAs(this.owner, person) : await this.#newOwner(claim, person)
    const ownerEmail = founder.email ?? person?.email ?? ''
    const other = people.find(({ email }) => email?.toLowerCase() === ownerEmail.toLowerCase())
    if (other && other !== person) {
      throw badRequest(
        sentence(
          'This is the address of {name} in the export. Choose that person or another address.',
          {
            name: other.name,
          },
        ),
      )
    }
    const problem = organizationNameProblem(claim.organization.trim())
    if (problem !== undefined) throw badRequest(problem)
    this.#requireIdle()
    this.#begin('importing', async (task) => {
      const { path } = this.#data
      const folder = { path, database: databaseIn(path) }
      const organization = claim.organization.trim()
      const options = { ...this.#options(file.path), founder, organization }
      const report = await stageInto(folder, options, task)
      if (!this.opens(key, this.owner)) {
        discardStaged(path)
        throw badRequest(
          sentence('Someone has used this organization in the meantime. Nothing was imported.'),
        )
      }
      await this.#data.replace(async () => {
        await settleImport({ ...folder, release() {} })
        // Before any request sees the new organization, which the set-up token does not open.
        this.#ticket = undefined
        this.#finished = { key, until: this.#server.clock.elapsed() + reportLifetime }
        this.#step = { name: 'done', report, ownerEmail }
      })
      this.inbox.remove()
    })
  }

  /** Aborts the work in progress, or forgets the file. */
  stop(): void {
    if (this.#giveUp) this.#giveUp.abort(badRequest(sentence('The import was stopped.')))
    else if (this.#step.name !== 'done') {
      this.inbox.remove()
      this.#step = { name: 'choosing' }
    }
  }

  /** Lets the owner in, once. @throws BAD_REQUEST it is not done, or someone is in */
  async enter(device: string | undefined): Promise<NewSession> {
    const { clock, store } = this.#server
    const step = this.#step
    if (step.name !== 'done') throw badRequest(sentence('The import is not finished.'))
    const session = await store.write((tx) => {
      const user = findUserByAddress(tx, step.ownerEmail)
      if (!user?.isActive || !this.#finished)
        throw badRequest(sentence('Log in with your password.'))
      this.#finished = undefined
      return insertSession(tx, user.id, clock, device)
    })
    this.#step = { name: 'choosing' }
    return session
  }

  #requireIdle(): Step {
    if (this.#giveUp) throw badRequest(sentence('The import is already running.'))
    return this.#step
  }

  async #newOwner(claim: Claim, person: ImportedPerson | undefined): Promise<Founder> {
    const { config, store } = this.#server
    const email = claim.email.trim() === '' ? (person?.email ?? '') : claim.email
    const founder = {
      key: person?.key,
      fullName: person ? '' : requireFullName(store, claim.fullName),
      email: requireAddress(email),
    }
    requirePassword(claim.password, passwordLengths(config))
    return { ...founder, passwordHash: await hashPassword(claim.password, hashCost(config)) }
  }

  #options(from: string): Omit<ImportOptions, 'into'> {
    const { clock, config, realmUrl } = this.#server
    return { from, ...this.#hints, realmUrl, clock, config }
  }

  /** Does long work that ends in a new step; a failure leads back to the previous step. */
  #begin(name: 'looking' | 'importing', run: (task: Task) => Promise<void>): void {
    const before = this.#step
    const giveUp = new AbortController()
    this.#giveUp = giveUp
    this.#step = { name, progress: beginning }
    const work = this.#data.work(async (stopping) => {
      const signal = AbortSignal.any([stopping, giveUp.signal])
      await run({
        signal,
        report: (label, done, total, _isLong, unit = '') => {
          this.#step = { name, progress: { label, done, total, unit } }
        },
      })
    })
    work
      .catch((error: unknown) => {
        const problem = this.#problemOf(error)
        this.#step =
          before.name === 'found' && name === 'importing'
            ? { ...before, problem }
            : { name: 'choosing', problem }
      })
      .finally(() => {
        this.#giveUp = undefined
      })
  }

  /** The error for people; other errors go to the log. */
  #problemOf(error: unknown): Sentence {
    if (error instanceof ApiError) return this.#withoutFolder(error.sentence)
    if (isDiskFull(error)) return sentence('The server’s disk is full. Nothing was imported.')
    this.#server.log.error({ err: error }, 'an import failed')
    return sentence('Something went wrong. Nothing was imported. The server’s log has the details.')
  }

  /** The file's name without the folder of the server. */
  #withoutFolder({ english, values = {} }: Sentence): Sentence {
    const file = this.inbox.current()?.path
    if (file === undefined) return { english, values }
    const shown = Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll(`${dirname(file)}/`, '') : value,
    ])
    return { english, values: Object.fromEntries(shown) }
  }
}

/** An owner keeps their account: their credentials are carried over. */
function ownerAs(owner: User, person: ImportedPerson | undefined): Founder {
  const { email, fullName, passwordHash } = owner
  return { key: person?.key, fullName, email, passwordHash }
}

/** Removes the remains of trials that ended with an earlier process. */
function removeTrials(data: string): void {
  for (const name of readdirSync(data)) {
    if (name.startsWith('parley-import-')) {
      rmSync(join(data, name), { recursive: true, force: true })
    }
  }
}
