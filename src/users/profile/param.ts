import * as v from 'valibot'
import { arrayOf, eitherOf, intArray, isInt, json, shortText } from '#http/params.ts'

const profileValue = eitherOf([shortText(10_000), intArray(1000), v.null()], 'a profile value')

/** `[{"id": 4, "value": "0"}]`: the custom profile fields to fill in. */
export const profileChanges = json(
  v.pipe(arrayOf(v.object({ id: isInt, value: profileValue })), v.maxLength(1000)),
)
