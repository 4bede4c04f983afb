import { ApiError } from '#platform/errors.ts'

/**
 * The error for an invalid filter, or one that names something that does not exist for the caller.
 * Some client libraries expect `desc`.
 *
 * @param desc what is wrong with the filter, in a few words
 */
export function badNarrow(desc: string, isUnknown = false): ApiError {
  const about = { parameter: 'narrow', isUnknown }
  return new ApiError('BAD_NARROW', `Invalid narrow operator: ${desc}`, { desc }, about)
}
