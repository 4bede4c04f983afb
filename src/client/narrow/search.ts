import { nameKey } from '#shared/names.ts'
import { momentTyped, readMoment } from './dates.ts'
import { type Lookups, otherIds } from './hash.ts'
import type { Narrow, Term, View } from './narrow.ts'
import { canBeNegated, type OperandKind, operandKind, operatorName } from './operators.ts'
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
  const typed =
    typeof operand === 'string'
      ? quoted(operand)
      : operands[operandKind(operator)].write([operand].flat(), lookups)
  return `${sign}${operator}:${typed}`
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
  const operand = operands[operandKind(operator)].read(typed, lookups)
  return operand === undefined ? undefined : term(operator, operand, sign === '-')
}

interface TypedOperand {
  /** Undefined: it is none, so that what is typed is a word. */
  read(typed: string, lookups: Lookups): Term['operand'] | undefined
  /** @param ids the operand, if it is not a text: one number, or those of people */
  write(ids: readonly number[], lookups: Lookups): string
}

const word = (read: (text: string) => string): TypedOperand => ({
  read: (typed) => read(unquoted(typed)),
  write: String,
})

const writePeople: TypedOperand['write'] = (ids, lookups) =>
  ids.map((id) => personText(id, lookups)).join(',')

/** Operands in the search box. */
const operands: Readonly<Record<OperandKind, TypedOperand>> = {
  channel: {
    read: (typed, lookups) => findChannel(unquoted(typed), lookups),
    write: ([id = 0], lookups) => channelText(id, lookups),
  },
  channels: word((text) => text.toLowerCase()),
  content: word((text) => text.toLowerCase().replace(/s$/, '')),
  id: {
    read: (typed) => (/^\d{1,15}$/.test(typed) ? Number(typed) : undefined),
    write: String,
  },
  moment: {
    read: (typed) => readMoment(unquoted(typed)),
    write: ([time = 0]) => momentTyped(time),
  },
  people: { read: readPeople, write: writePeople },
  person: {
    read: (typed, lookups) => findPerson(unquoted(typed), lookups),
    write: writePeople,
  },
  state: word((text) => (text.toLowerCase() === 'private' ? 'dm' : text.toLowerCase())),
  topic: word((text) => text),
  words: word((text) => text),
}

function readPeople(typed: string, lookups: Lookups): readonly number[] | string {
  const people = splitNames(typed).map((name) => findPerson(name, lookups))
  if (!people.every((id) => typeof id === 'number')) return people.join(',')
  return otherIds(people, lookups.selfId)
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
