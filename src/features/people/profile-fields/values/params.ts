import * as v from 'valibot'
import { eitherOf, intArray, isInt, json, listOf, shortText } from '#platform/http/params.ts'
import { sentSentence } from '#translations/translate.ts'

const profileValue = eitherOf(
  [shortText(10_000), intArray(500), v.null()],
  sentSentence('{name} is not a profile value'),
)

/** The longest JSON text of all values together, in UTF-16 code units. */
const longestProfile = 100_000

/** `[{"id": 4, "value": "0"}]`: the custom profile fields to set. */
export const profileChanges = json(
  listOf(v.object({ id: isInt, value: profileValue }), 100),
  longestProfile,
)
