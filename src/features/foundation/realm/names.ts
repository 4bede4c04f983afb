import { badRequest, checking } from '#platform/errors.ts'
import { namedCharacter, nameFault, tidyName } from '#shared/names.ts'
import type { Sentence } from '#translations/translate.ts'
import { sentSentence } from '#translations/translate.ts'
import { requireLength } from './limits.ts'

/** What a name is of. */
interface NameKind {
  /** The start of the error messages. */
  readonly what: string
  /** The parameter that usually holds it. */
  readonly parameter: string
}

/**
 * A name as it is stored.
 *
 * @param kind with the sentence for an empty one
 * @param most in Unicode code points
 * @throws BAD_REQUEST empty, too long, or not a name
 */
export function requireName(
  kind: NameKind & { readonly empty: Sentence },
  name: string,
  most: number,
): string {
  if (name.trim() === '') throw badRequest(kind.empty, kind)
  return requirePlainName(kind, name, most)
}

/**
 * The same for a name that may be empty.
 *
 * @param forbidden further characters that this kind of name must not contain
 * @throws BAD_REQUEST too long, or not a name
 */
export function requirePlainName(
  { what, parameter }: NameKind,
  name: string,
  most: number,
  forbidden?: RegExp,
): string {
  const tidy = tidyName(name)
  checking(parameter, () => requireLength(what, tidy, most))
  const fault = nameFault(name, forbidden)
  switch (fault?.kind) {
    case 'character': {
      const where = `at position ${fault.position}: ${namedCharacter(fault.character)}`
      throw badRequest(
        sentSentence('Invalid character in {name}, {place}.', {
          name: what.toLowerCase(),
          place: where,
        }),
        { parameter },
      )
    }
    case 'marks':
      throw badRequest(
        sentSentence('Too many marks on one character in {name}, at position {position}.', {
          name: what.toLowerCase(),
          position: fault.position,
        }),
        { parameter },
      )
    case 'unseen':
      throw badRequest(sentSentence('{name} has no visible character.', { name: what }), {
        parameter,
      })
  }
  return tidy
}
