import { ApiError } from '#platform/errors.ts'

/** The error for a file that is not an image, or one that cannot be shown. */
export function badImage(message = 'The file is not an image that can be read.'): ApiError {
  return new ApiError('BAD_IMAGE', message)
}
