import { ApiError } from '#errors.ts'

/**
 * The answer to a filter that cannot be understood, or that names what does not exist for the
 * caller.
 *
 * @param desc what is wrong with it, in a few words
 * @source clients.md §0.3: code `BAD_NARROW` with `desc`
 */
export function badNarrow(desc: string): ApiError {
  return new ApiError('BAD_NARROW', `Invalid narrow operator: ${desc}`, { desc })
}
