import { ApiError } from '#platform/errors.ts'
import { sentSentence } from '#translations/translate.ts'

/** The error for a file that is not a picture, or one that cannot be shown. */
export function badPicture(
  said = sentSentence('The file is not an image that can be read.'),
): ApiError {
  return new ApiError('BAD_IMAGE', said, {}, { parameter: 'file' })
}
