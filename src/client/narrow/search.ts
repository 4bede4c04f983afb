import { nameKey } from '#shared/names.ts'
import { momentTyped, readMoment } from './dates.ts'
import { type Lookups, otherIds } from './hash.ts'
import type { Narrow, Term, View } from './narrow.ts'
import { canBeNegated, type OperatorName, operatorName } from './operators.ts'
import { narrowOf, term, termsOf } from './terms.ts'

/** The query in the search box. */
export interface Search {
  readonly terms: readonly Term[]
  /** The message to open the result at. */
  readonly near: number | undefined
}

/**
 * Reads the text of the search box: operators with operands (`channel:dev`, `-is:resolved`,
 * `topic:"big plans"`), quoted phrases and words. Consecutive words are one search, and unknown
 * operators are words. Known names become IDs.
 */
export function parseSearch(text: string, lookups: Lookups): Search {
  const terms: Term[] = []
  let words: string[] = []
  let near: number | undefined
  const endWords = () => {
    if (words.length > 0) terms.push(term('search', words.join(' ')))
    words = []
  }
  for (const token of tokensOf(text)) {
    const read = readToken(token, lookups)
    if (read === undefined) {
      const negatedWord = /^-(?=["\p{L}\p{N}])(.+)$/su.exec(token)?.[1]
      if (negatedWord === undefined) words.push(token)
      else {
        endWords()
        terms.push(term('search', negatedWord, true))
      }
    } else {
      endWords()
      if (read.operator === 'near') near = Number(read.operand)
      else terms.push(read)
    }
  }
  endWords()
  return { terms, near }
}

/** The view that shows the result. */
export function viewOfSearch({ terms, near }: Search, selfId: number): View {
  const view: View = { kind: 'messages', narrow: narrowOf(terms, selfId) }
  return near === undefined ? view : { ...view, near }
}

/** The text of the search box for a narrow. */
export function searchTextOf(narrow: Narrow, lookups: Lookups): string {
  return termsOf(narrow, lookups.selfId)
    .map((each) => termText(each, lookups))
    .join(' ')
}

/** One term as typed: `-channel:"big plans"`. */
export function termText({ operator, operand, negated }: Term, lookups: Lookups): string {
  const sign = negated ? '-' : ''
  if (operator === 'search') return sign + String(operand)
  return `${sign}${operator}:${operandText(operator, operand, lookups)}`
}

/** Texts between spaces, except for those in quotes. */
export function tokensOf(text: string): string[] {
  return text.match(/(?:[^\s"]|"(?:\\.|[^"\\])*(?:"|\\?$))+/gs) ?? []
}

/** A term by its text; undefined for a word. */
function readToken(token: string, lookups: Lookups): Term | undefined {
  const [, sign = '', name = '', typed = ''] = /^(-?)([a-z-]+):(.*)$/is.exec(token) ?? []
  const operator = operatorName(name)
  if (!operator || operator === 'search' || (sign && !canBeNegated(operator))) return undefined
  if (typed === '') return undefined
  const operand = readOperand(operator, typed, lookups)
  return operand === undefined ? undefined : term(operator, operand, sign === '-')
}

function readOperand(
  operator: OperatorName,
  typed: string,
  lookups: Lookups,
): Term['operand'] | undefined {
  switch (operator) {
    case 'channel':
      return findChannel(unquoted(typed), lookups)
    case 'dm':
    case 'dm-including': {
      const people = splitNames(typed).map((name) => findPerson(name, lookups))
      if (!people.every((id) => typeof id === 'number')) return people.join(',')
      return otherIds(people, lookups.selfId)
    }
    case 'sender':
      return findPerson(unquoted(typed), lookups)
    case 'near':
    case 'with':
    case 'id':
      return /^\d{1,15}$/.test(typed) ? Number(typed) : undefined
    case 'before':
    case 'after':
      return readMoment(unquoted(typed))
    case 'is': {
      const state = unquoted(typed).toLowerCase()
      return state === 'private' ? 'dm' : state
    }
    case 'has':
      return unquoted(typed).toLowerCase().replace(/s$/, '')
    case 'channels':
      return unquoted(typed).toLowerCase()
    default:
      return unquoted(typed)
  }
}

/** The text in quotes, where a backslash keeps a quote from ending it. */
function unquoted(typed: string): string {
  const inner = /^"((?:\\.|[^"\\])*)"?$/s.exec(typed)?.[1]
  return inner?.replace(/\\(.)/gs, '$1') ?? typed.replaceAll('"', '')
}

function splitNames(typed: string): string[] {
  const names = typed.match(/(?:[^,"]|"(?:\\.|[^"\\])*(?:"|\\?$))+/gs) ?? []
  return names.map((name) => unquoted(name.trim())).filter((name) => name !== '')
}

/** A channel by its name or id; a name in digits is a name. */
function findChannel(text: string, { channels }: Lookups): number | string {
  for (const wanted of [nameKey(text), nameKey(text.replaceAll('+', ' '))]) {
    for (const { id, name } of channels.current.values()) if (nameKey(name) === wanted) return id
  }
  return /^\d{1,15}$/.test(text) ? Number(text) : text
}

/** A person by full name, `name|id`, address, id or `me`. */
function findPerson(text: string, { users, selfId }: Lookups): number | string {
  const wanted = text.toLowerCase()
  if (wanted === 'me') return selfId
  const marked = /\|(\d{1,15})$/.exec(text)?.[1]
  if (marked !== undefined) return Number(marked)
  const people = [...users.current.values()]
  const key = nameKey(text)
  const found =
    people.find(({ name }) => nameKey(name) === key) ??
    people.find(({ email, deliveryEmail }) =>
      [email, deliveryEmail].some((address) => address?.toLowerCase() === wanted),
    )
  if (found) return found.id
  return /^\d{1,15}$/.test(text) ? Number(text) : text
}

function operandText(operator: string, operand: Term['operand'], lookups: Lookups): string {
  if (typeof operand === 'object') return operand.map((id) => personText(id, lookups)).join(',')
  if (typeof operand === 'string') return quoted(operand)
  if (operator === 'channel') return channelText(operand, lookups)
  if (operator === 'before' || operator === 'after') return momentTyped(operand)
  return operator === 'sender' ? personText(operand, lookups) : String(operand)
}

function channelText(id: number, lookups: Lookups): string {
  const name = lookups.channels.peek(id)?.name
  if (name === undefined) return String(id)
  return findChannel(name, lookups) === id ? quoted(name) : String(id)
}

function personText(id: number, lookups: Lookups): string {
  if (id === lookups.selfId) return 'me'
  const name = lookups.users.peek(id)?.name
  if (!name) return String(id)
  return quoted(findPerson(name, lookups) === id ? name : `${name}|${id}`)
}

function quoted(text: string): string {
  return text === '' || /[\s",\\]/.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : text
}
