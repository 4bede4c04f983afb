import * as v from 'valibot'
import { eitherOf, intArray, isInt } from '#http/params.ts'
import type { GroupSettingValue } from './values.ts'

/** The most people or groups that one value may name. */
const maxListed = 10_000

/** @source contract, "Conventions": group-setting value */
export const groupSettingSchema: v.GenericSchema<unknown, GroupSettingValue> = v.pipe(
  eitherOf(
    [
      isInt,
      v.object({ direct_members: intArray(maxListed), direct_subgroups: intArray(maxListed) }),
    ],
    'a group-setting value',
  ),
  v.title('NewGroupSettingValue'),
)

/** @source contract, "Conventions": group-setting update */
export const groupSettingUpdateSchema = v.pipe(
  v.object({
    new: groupSettingSchema,
    old: v.optional(
      v.pipe(groupSettingSchema, v.description('Fails unless this is the value until now.')),
    ),
  }),
  v.title('GroupSettingUpdate'),
)
