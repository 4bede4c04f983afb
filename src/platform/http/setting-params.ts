import * as v from 'valibot'
import type { Setting, SettingValue } from '#platform/setting.ts'
import { json, jsonOrWord, optional, type Param, wordOf } from './params.ts'

type SettingParams<R> = { readonly [N in keyof R]: Param<SettingValue<R[N]> | undefined> }

/** Makes an optional parameter for each setting of a registry. */
export function settingParams<R extends Readonly<Record<string, Setting<unknown>>>>(
  rules: R,
): SettingParams<R> {
  return Object.fromEntries(
    Object.entries(rules).map(([name, setting]) => [name, optional(settingParam(setting))]),
  ) as unknown as SettingParams<R>
}

/** Strings are words, numbers and booleans are JSON, nullable values are either. */
function settingParam({ fallback, names, schema }: Setting<unknown>): Param<unknown> {
  if (typeof fallback === 'string') return wordOf(names ? renamed(schema, names) : schema)
  return v.is(schema, null) ? jsonOrWord(schema) : json(schema)
}

function renamed(schema: Setting<unknown>['schema'], names: Readonly<Record<string, unknown>>) {
  const others = Object.entries(names).map(([name, value]) =>
    v.pipe(
      v.literal(name),
      v.transform(() => value),
    ),
  )
  return v.union([schema, ...others])
}
