import { ApiError } from '#errors.ts'

/** The answer to a file that is no picture, or none that can be shown. */
export function badImage(message = 'The file is not a picture that can be read.'): ApiError {
  return new ApiError('BAD_IMAGE', message)
}
