import { inEnglish, type Sentence } from '#translations/translate.ts'

/** By the messages that schemas have. */
const sentences = new Map<string, Sentence>()

/**
 * Makes a message for a schema of a sentence, which `decode` translates back. It fills in `{name}`:
 * the name of the parameter, with the path to the invalid value.
 */
export function issue(said: Sentence): string {
  const message = inEnglish(said)
  sentences.set(message, said)
  return message
}

/** The sentence of a schema's message; undefined for one that was not made by `issue`. */
export function sentenceOfIssue(message: string): Sentence | undefined {
  return sentences.get(message)
}
