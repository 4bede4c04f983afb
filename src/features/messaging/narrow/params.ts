import * as v from 'valibot'
import { badRequest } from '#platform/errors.ts'
import type { Operand, Term } from '#platform/events/types.ts'
import { issue } from '#platform/http/issues.ts'
import {
  isBool,
  isInt,
  json,
  jsonOrWord,
  listOf,
  type Param,
  shortText,
  wordOf,
} from '#platform/http/params.ts'
import { isoMoment } from '#platform/time-zones.ts'
import { sentSentence } from '#translations/translate.ts'

/** The maximum number of filters in a narrow, and of names or ids in a filter. */
const maxTerms = 100
const maxNames = 500
/** The longest name, address or search, in UTF-16 code units. */
const longestName = 1000
/** The longest narrow as JSON text, in UTF-16 code units: event queues keep it in memory. */
const longestNarrow = 20_000

const isName = v.union([isInt, shortText(longestName)])

const isOperand: v.GenericSchema<unknown, Operand> = v.union(
  [isName, listOf(isName, maxNames)],
  'Invalid narrow: an operand is a string, an integer or a list of them',
)

const isOperator = shortText(100)

/** Clients send either an object or a pair of operator and operand. */
const isTerm: v.GenericSchema<unknown, Term> = v.union(
  [
    v.pipe(
      v.object({
        operator: isOperator,
        operand: isOperand,
        negated: v.optional(isBool, false),
      }),
      v.transform(({ operator, operand, negated }) => ({ operator, operand, negated })),
    ),
    v.pipe(
      v.strictTuple([isOperator, isOperand]),
      v.transform(([operator, operand]) => ({ operator, operand, negated: false })),
    ),
  ],
  'Invalid narrow: each filter is an object with operator and operand, or a pair of them',
)

/**
 * The `narrow` parameter of every endpoint that takes one. The compiler checks whether its
 * operators exist.
 *
 * @source Zulip API, "Construct a narrow"
 */
export function narrowParam(): Param<Term[]> {
  return json(v.pipe(listOf(isTerm, maxTerms), v.title('Narrow')), longestNarrow)
}

/** The position of a window of messages: a message id, or a position in the narrow. */
export type Anchor = number | 'newest' | 'oldest' | 'first_unread'

const isAnchorId = v.pipe(v.number(), v.integer())
const anchorNames = ['newest', 'oldest', 'first_unread'] as const

/**
 * The `anchor` parameter. Old clients send 10000000000000000 for the newest message: not a safe
 * integer, but above every id.
 *
 * @source Zulip API, "Get messages"
 */
export function anchorParam(): Param<Anchor> {
  return jsonOrWord(v.union([v.picklist(anchorNames), isAnchorId], 'Invalid anchor'))
}

/**
 * The same, and `date`, for which another parameter has the date.
 *
 * @source Zulip API, "Get messages", level 445
 */
export function anchorOrDateParam(): Param<Anchor | 'date'> {
  return jsonOrWord(v.union([v.picklist([...anchorNames, 'date']), isAnchorId], 'Invalid anchor'))
}

/** The longest date with a time, in UTF-16 code units. */
const longestDate = 40

/** A date, or a date with a time, as `isoMoment` reads them; in seconds since the epoch. */
export function momentParam(): Param<number> {
  return wordOf(
    v.pipe(
      shortText(longestDate),
      v.check(
        (text) => isoMoment(text) !== undefined,
        issue(sentSentence('{name} is not an ISO 8601 date or time')),
      ),
      v.transform((text) => isoMoment(text) ?? 0),
    ),
  )
}

/**
 * Without the anchor, messages lie on one side of it.
 *
 * @throws BAD_REQUEST
 */
export function requireSidedAnchor(
  includeAnchor: boolean,
  numBefore: number,
  numAfter: number,
): void {
  if (includeAnchor || numBefore === 0 || numAfter === 0) return
  throw badRequest(sentSentence('The anchor can only be excluded at an end of the range'), {
    parameter: 'include_anchor',
  })
}
