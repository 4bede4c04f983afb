import { ApiError } from '#platform/errors.ts'
import { inEnglish, type Sentence } from '#translations/translate.ts'

/** How the sentences of these errors begin. */
const opening = 'Invalid narrow operator: '

/**
 * The error for an invalid filter, or one that names something that does not exist for the caller.
 * Some client libraries expect `desc`.
 *
 * @param said what is wrong with the filter: `opening` and a few words, which are `desc`
 */
export function badNarrow(said: Sentence, isUnknown = false): ApiError {
  const desc = inEnglish(said).slice(opening.length)
  return new ApiError('BAD_NARROW', said, { desc }, { parameter: 'narrow', isUnknown })
}
