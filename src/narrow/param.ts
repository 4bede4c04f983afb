import * as v from 'valibot'
import { arrayOf, isBool, isInt, json, jsonOrWord, type Param, shortText } from '#http/params.ts'
import type { Operand, Term } from './types.ts'

/** The most filters in one narrow, and the most names or ids in one filter. */
const maxTerms = 100
const maxNames = 1000

const isName = v.union([isInt, shortText(10_000)])

const isOperand: v.GenericSchema<unknown, Operand> = v.union(
  [isName, v.pipe(arrayOf(isName), v.maxLength(maxNames))],
  'Invalid narrow: an operand is a string, an integer or a list of them',
)

const isOperator = shortText(100)

/** Both forms that clients send: an object, or the pair of operator and operand. */
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
 * The `narrow` parameter of every endpoint that takes one. Whether its operators exist is asked
 * when it is compiled.
 *
 * @source contract, "Conventions"; clients.md §0.1: both forms, operands of mixed types
 */
export function narrowParam(): Param<Term[]> {
  return json(
    v.pipe(
      arrayOf(isTerm),
      v.maxLength(maxTerms, 'The narrow has too many filters'),
      v.title('Narrow'),
    ),
  )
}

/** Where a window of messages lies: at a message id, an end of the narrow, or its oldest unread. */
export type Anchor = number | 'newest' | 'oldest' | 'first_unread'

/**
 * The `anchor` parameter. Old clients send 10000000000000000 for the newest message, which is no
 * safe integer, but every id is below it.
 */
export function anchorParam(): Param<Anchor> {
  return jsonOrWord(
    v.union(
      [v.picklist(['newest', 'oldest', 'first_unread']), v.pipe(v.number(), v.integer())],
      'Invalid anchor',
    ),
  )
}
