import { type Sentence, sentSentence } from '#translations/translate.ts'

/* Sentences about the value of a parameter, whose `{name}` is filled in at last. */

/** Fills in the name. */
export function naming(name: string, { english, values }: Sentence): Sentence {
  return { english, values: { ...values, name } }
}

export function tooLong(most: number): Sentence {
  return sentSentence('{name} is too long (limit: {count} characters)', { count: most })
}

export function tooManyItems(most: number): Sentence {
  return sentSentence('{name} has too many items (limit: {count})', { count: most })
}
