import type { Context, SystemContext } from '#platform/context.ts'
import { ApiError } from '#platform/errors.ts'
import { type LongWrite, writeLong } from '#platform/long-write.ts'
import type { User } from '#platform/store/schema.ts'
import type { Read, StepTimer, Store, Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import type { Credential, CredentialKind } from './credential.ts'
import { type Bill, freeBill } from './rate-limit.ts'

/** A store in the name of a user. */
export interface CallerStore extends Store {
  /**
   * Runs `fn` like `Store.write`, after `Caller.requireCurrent` in the same transaction, so that
   * users who have lost their rights by then change nothing.
   *
   * @param fn its `user` is the account at that moment
   */
  write<T>(fn: (tx: Tx, user: User) => T): Promise<T>
  /** Makes a long change in several of these writes; between them, others have their turn. */
  writeLong<T>(begin: (tx: Tx) => LongWrite<T>): Promise<T>
}

/** The user who makes a request, with client and server: as actions and queries see them. */
export interface Caller {
  /** The account as of now, read anew each time, so that a write checks current permissions. */
  readonly user: User
  readonly store: CallerStore
  readonly server: Context
  /** The client's name, from its User-Agent: `ZulipFlutter`, `ZulipPython`, `website`. */
  readonly client: string
  readonly credential: CredentialKind
  /** `Session.id`, if the request belongs to a session. */
  readonly sessionId: string | undefined
  /**
   * The account, if the credential of the request is still valid and the organization still active.
   *
   * @throws INVALID_API_KEY; UNAUTHORIZED the session has ended; USER_DEACTIVATED
   * @throws REALM_DEACTIVATED
   */
  requireCurrent(read: Read): User
  /**
   * Runs `fn` at the caller's expense: for the work of a handler after it has awaited something.
   */
  timed<T>(fn: () => T): T
}

/**
 * Makes a caller for an account.
 *
 * @param client as `Caller.client`
 * @param bill pays for the writes
 */
export function createCaller(
  server: SystemContext,
  { id }: Pick<User, 'id'>,
  client: string,
  credential: Credential,
  bill: Bill = freeBill,
): Caller {
  return new RequestCaller(server, id, client, credential, bill)
}

/** A class, because V8 keeps own accessors of objects until a full garbage collection. */
class RequestCaller implements Caller {
  readonly server: Context
  readonly client: string
  readonly credential: CredentialKind
  readonly sessionId: string | undefined
  readonly requireCurrent: Caller['requireCurrent']
  readonly #id: number
  readonly #bill: Bill
  readonly #common: Store
  /** Made when it is first asked for: polls do not. */
  #store: CallerStore | undefined

  constructor(
    server: SystemContext,
    id: number,
    client: string,
    credential: Credential,
    bill: Bill,
  ) {
    this.server = server
    this.client = client
    this.credential = credential.kind
    this.sessionId = credential.sessionId
    this.requireCurrent = currentCheck(server, credential)
    this.#id = id
    this.#bill = bill
    this.#common = server.store
  }

  get store(): CallerStore {
    this.#store ??= callerStore(this.#common, this.requireCurrent, this.#bill)
    return this.#store
  }

  timed<T>(fn: () => T): T {
    return this.#bill.timed(fn)
  }

  get user(): User {
    const user = this.server.directory.findUser(this.#common, this.#id)
    if (!user) throw new Error(`Account ${this.#id} is gone.`)
    return user
  }
}

function callerStore(
  common: Store,
  requireCurrent: Caller['requireCurrent'],
  bill: Bill,
): CallerStore {
  const timed: StepTimer = (step) => bill.timed(step)
  const store: CallerStore = {
    ...common,
    async write(fn) {
      const began = common.clock.elapsed()
      try {
        return await common.write((tx) => bill.timed(() => fn(tx, requireCurrent(tx))), timed)
      } finally {
        bill.stored(common.clock.elapsed() - began)
      }
    },
    writeLong: (begin) =>
      writeLong(
        begin,
        (fn) => store.write(fn),
        () => bill.turn(),
      ),
  }
  return store
}

/** Separate from the caller, so that a waiting request keeps nothing else of it alive. */
function currentCheck(server: Context, credential: Credential): Caller['requireCurrent'] {
  return (read) => {
    requireNotDeactivated(server, read)
    return requireActive(credential, read)
  }
}

/** The credential of an account in whose name the program acts without a request. */
export function noCredential({ directory }: Context, { id }: Pick<User, 'id'>): Credential {
  return {
    kind: 'none',
    findUser: (read) => directory.findUser(read, id),
    refusal: () => new ApiError('UNAUTHORIZED', sentSentence('The account is gone.')),
  }
}

/**
 * The account that a credential opens.
 *
 * @throws INVALID_API_KEY; UNAUTHORIZED the session has ended; USER_DEACTIVATED
 */
export function requireActive(credential: Credential, read: Read): User {
  const user = credential.findUser(read)
  if (!user) throw credential.refusal()
  if (!user.isActive) throw new ApiError('USER_DEACTIVATED', sentSentence('Account is deactivated'))
  return user
}

/** @throws REALM_DEACTIVATED */
export function requireNotDeactivated({ directory }: Context, read: Read): void {
  if (directory.organization(read) !== 'deactivated') return
  throw new ApiError('REALM_DEACTIVATED', sentSentence('This organization is deactivated'))
}

/** A store that refuses writes while the organization is deactivated. */
export function whileActive(server: SystemContext): Store {
  const { store } = server
  return {
    ...store,
    write: (fn, timed) =>
      store.write((tx) => {
        requireNotDeactivated(server, tx)
        return fn(tx)
      }, timed),
  }
}
