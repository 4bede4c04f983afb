import { stepParts } from '#translations/steps.ts'
import { type Sentence, sentence } from '#translations/translate.ts'

/**
 * Steps to set up a service, in Markdown. Names in the service are bold, and what is typed is code; both
 * stay as they are in every language, so that steps that differ only in them are one text.
 */
export function steps(english: readonly string[]): readonly Sentence[] {
  return english.map((step) => {
    const { pattern, values } = stepParts(step)
    return sentence(pattern, values)
  })
}
