import type { Context as HonoContext } from 'hono'
import type { Clock } from '#platform/clock.ts'
import { ApiError } from '#platform/errors.ts'
import { sentSentence } from '#translations/translate.ts'
import { type Buckets, type Budget, createBuckets } from './buckets.ts'
import { createGuesses, type Guesses } from './guesses.ts'
import { networkOf } from './networks.ts'

/**
 * The rate limits, in tokens: the cost of a call is taken from one of these, for the account or
 * else the network.
 */
export const budgets = {
  /** For an account. */
  api: { tokens: 2000, seconds: 60 },
  /** For all bots of an owner together, besides what each of them may spend. */
  bots: { tokens: 4000, seconds: 60 },
  /** For an account: what its assistants write, besides what they cost as calls. */
  assistants: { tokens: 60, seconds: 60 },
  /** For a network: calls without credentials. */
  anonymous: { tokens: 500, seconds: 60 },
  /** For a network: comparisons of passwords, whether right or wrong. */
  login: { tokens: 100, seconds: 300 },
  /** For a network: forms without a session; a whole school class may share one. */
  form: { tokens: 30, seconds: 300 },
} as const satisfies Record<string, Budget>

/**
 * What a call costs: a token when it comes, and later another for each full unit of these. Work is
 * time during which the server does nothing else: decoding, the handler until it first waits, the
 * functions that the writer runs for it, making the reply. Sizes are those of the body, an uploaded
 * file included, and of the reply. A file that is served in pieces costs neither.
 */
export const tokenCosts = { workMs: 5, bytes: 256 * 1024 } as const

/** The cost of a password in tokens, because its salted hash keeps other threads busy. */
export const passwordTokens = 20

/** The payer of a call, and its cost so far. */
export interface Bill {
  /** Takes the token that every call costs. @throws RATE_LIMIT_HIT with `retry-after` in seconds */
  open(): void
  /** Runs `fn` and charges the time until it returns or throws. */
  timed<T>(fn: () => T): T
  /** Charges the size of what was received or is sent, in bytes. */
  size(bytes: number): void
  /** Notes how long a write took until it was on disk, in milliseconds. It costs nothing. */
  stored(ms: number): void
  /** Charges tokens. A debt delays the next calls. */
  charge(tokens: number): void
  /** Resolves when more work may be done for the payer; undefined: immediately. See `Pacing`. */
  turn(): Promise<void> | undefined
  /**
   * The headers that say how much is left.
   *
   * @source Zulip API, "HTTP headers", "Rate limiting response headers"
   */
  headers(): Readonly<Record<string, string>>
}

/** Who pays: a person, or a bot of one. */
export interface PayingAccount {
  readonly id: number
  /** Null: not a bot, or one of the system. */
  readonly botOwnerId: number | null
}

/** The rate limits of a server: one for everything that it serves. */
export interface RateLimits {
  /** @param subject the ID of an account, or the network address of a client */
  bill(budget: keyof typeof budgets, subject: number | string): Bill
  /** The bill of an account. A bot's is also charged to what its owner's bots have together. */
  accountBill(account: PayingAccount): Bill
  readonly guesses: Guesses
}

/**
 * Creates rate limits in memory.
 *
 * @source Zulip API, "Error handling": `retry-after` in the body and as a header
 */
export function createRateLimits(clock: Clock): RateLimits {
  const all = mapBudgets((budget) => createBuckets(budget, clock))
  const bill = (name: keyof typeof budgets, subject: number | string) =>
    createBill(clock, budgets[name], all[name], {
      subject: typeof subject === 'number' ? String(subject) : networkOf(subject),
    })
  return {
    bill,
    accountBill: ({ id, botOwnerId }) =>
      botOwnerId === null ? bill('api', id) : both(bill('api', id), bill('bots', botOwnerId)),
    guesses: createGuesses(clock, tooMuch),
  }
}

function mapBudgets<T>(make: (budget: Budget) => T): Record<keyof typeof budgets, T> {
  const { api, bots, assistants, anonymous, login, form } = budgets
  return {
    api: make(api),
    bots: make(bots),
    assistants: make(assistants),
    anonymous: make(anonymous),
    login: make(login),
    form: make(form),
  }
}

/** A bill that is charged twice, and tells of what has less left. */
function both(one: Bill, other: Bill): Bill {
  const left = (headers: Readonly<Record<string, string>>) => Number(headers[remaining])
  return {
    open() {
      one.open()
      other.open()
    },
    timed: (fn) => one.timed(() => other.timed(fn)),
    size(bytes) {
      one.size(bytes)
      other.size(bytes)
    },
    stored() {},
    charge(tokens) {
      one.charge(tokens)
      other.charge(tokens)
    },
    turn: () => undefined,
    headers() {
      const [first, second] = [one.headers(), other.headers()]
      return left(second) < left(first) ? second : first
    },
  }
}

const remaining = 'X-RateLimit-Remaining'

function createBill(
  clock: Clock,
  budget: Budget,
  buckets: Buckets,
  { subject }: { subject: string },
): Bill {
  const sums = { workMs: 0, bytes: 0 }
  function add(what: keyof typeof sums, amount: number): void {
    const before = Math.floor(sums[what] / tokenCosts[what])
    sums[what] += amount
    const tokens = Math.floor(sums[what] / tokenCosts[what]) - before
    if (tokens > 0) buckets.take(subject, tokens)
  }
  return {
    open() {
      const wait = buckets.wait(subject)
      if (wait > 0) throw tooMuch(wait)
      buckets.take(subject, 1)
    },
    timed(fn) {
      const from = clock.elapsed()
      try {
        return fn()
      } finally {
        add('workMs', clock.elapsed() - from)
      }
    },
    size: (bytes) => add('bytes', bytes),
    stored() {},
    charge: (tokens) => buckets.take(subject, tokens),
    turn: () => undefined,
    headers() {
      const left = buckets.left(subject)
      const untilFull = ((budget.tokens - left) * budget.seconds) / budget.tokens
      return {
        'X-RateLimit-Limit': String(budget.tokens),
        [remaining]: String(Math.max(0, Math.floor(left))),
        'X-RateLimit-Reset': String(Math.ceil(clock.now() / 1000 + untilFull)),
      }
    },
  }
}

/** @param wait in seconds */
function tooMuch(wait: number): ApiError {
  return new ApiError('RATE_LIMIT_HIT', sentSentence('API usage exceeded rate limit'), {
    'retry-after': Math.ceil(wait * 1000) / 1000,
  })
}

/** A bill for work that costs nothing. */
export const freeBill: Bill = {
  open() {},
  timed: (fn) => fn(),
  size() {},
  stored() {},
  charge() {},
  turn: () => undefined,
  headers: () => ({}),
}

/** The rate limits of a server without any, such as one in fixture mode. */
export const noRateLimits: RateLimits = {
  bill: () => freeBill,
  accountBill: () => freeBill,
  guesses: {
    password: () => ({ right() {} }),
    code: () => ({ right() {}, isLast: false }),
    wrongKey() {},
    recognise() {},
  },
}

const key = 'bill'

/** Opens the bill of a request; the reply says how much is left. @throws RATE_LIMIT_HIT */
export function openBill(c: HonoContext, bill: Bill): Bill {
  c.set(key, bill)
  bill.open()
  return bill
}

/** The bill that was opened last; a free one if there is none. */
export function billOf(c: HonoContext): Bill {
  return (c.get(key) as Bill | undefined) ?? freeBill
}
