import { mendedName, namedCharacter, nameFault, tidyName } from '#shared/names.ts'
import { type Sentence, sentSentence } from '#translations/translate.ts'

/** The longest full name, in Unicode code points. */
export const longestFullName = 100
/** The shortest name that someone chooses. */
const shortest = 2

/** What delimits names in mentions and in mail headers. */
const delimiters = /[*`\\>"@]/

/** A mention names an ID in this way. */
const idAtEnd = /\|\d+$/

/** What is wrong with a full name that someone enters; undefined if it is valid. */
export function fullNameProblem(name: string): Sentence | undefined {
  const fault = nameFault(name, delimiters)
  if (fault) {
    switch (fault.kind) {
      case 'empty':
        return sentSentence('The full name is missing.')
      case 'unseen':
        return sentSentence('The full name has no visible character.')
      case 'marks':
        return sentSentence(
          'The full name has too many marks on one character, at position {position}.',
          {
            position: fault.position,
          },
        )
      case 'character':
        return sentSentence('The full name may not contain {character}, at position {position}.', {
          character: namedCharacter(fault.character),
          position: fault.position,
        })
    }
  }
  const fullName = tidyName(name)
  const { length } = [...fullName]
  if (length > longestFullName) {
    return sentSentence('The full name is too long (limit: {count} characters).', {
      count: longestFullName,
    })
  }
  if (length < shortest) {
    return sentSentence('The full name is too short (at least {count} characters).', {
      count: shortest,
    })
  }
  if (idAtEnd.test(fullName)) return sentSentence('The full name may not end in | and a number.')
  return undefined
}

/** A valid full name of what another system calls someone; empty if nothing is left to see. */
export function mendedFullName(name: string): string {
  const mended = mendedName(name, longestFullName, delimiters)
  return idAtEnd.test(mended) ? mendedFullName(mended.replace(idAtEnd, '')) : mended
}
