import * as v from 'valibot'
import {
  described,
  eitherOf,
  intArray,
  isInt,
  json,
  optional,
  type Param,
} from '#platform/http/params.ts'
import { sentSentence } from '#translations/translate.ts'
import type { GroupSettingValue } from './setting-values.rules.ts'
import { permissionRules } from './table.ts'

/** The maximum number of users, and of groups, in one value. */
const maxListed = 1000

/** @source Zulip API, "Group-setting values" */
export const groupSettingSchema: v.GenericSchema<unknown, GroupSettingValue> = v.pipe(
  eitherOf(
    [
      isInt,
      v.object({ direct_members: intArray(maxListed), direct_subgroups: intArray(maxListed) }),
    ],
    sentSentence('{name} is not a group-setting value'),
  ),
  v.title('NewGroupSettingValue'),
)

/** @source Zulip API, "Group-setting values" */
export const groupSettingUpdateSchema = v.pipe(
  v.object({
    new: groupSettingSchema,
    old: v.optional(
      v.pipe(
        groupSettingSchema,
        v.description('The expected current value: the request fails if it differs.'),
      ),
    ),
  }),
  v.title('GroupSettingUpdate'),
)

/** An optional parameter with this schema for each permission setting of a scope. */
export function permissionParams<S extends keyof typeof permissionRules, T>(
  scope: S,
  schema: v.GenericSchema<unknown, T>,
): Readonly<Record<keyof (typeof permissionRules)[S], Param<T | undefined>>> {
  const param = optional(json(schema))
  return Object.fromEntries(
    Object.entries(permissionRules[scope]).map(([name, { description }]) => [
      name,
      described(param, description),
    ]),
  ) as Record<keyof (typeof permissionRules)[S], Param<T | undefined>>
}
