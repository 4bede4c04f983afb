import * as v from 'valibot'
import { json, type Param, withDefault } from '#http/params.ts'

/** The `narrow` parameter of every endpoint that takes one. */
export function narrowParam(): Param<unknown[]> {
  return withDefault(json(v.array(v.unknown())), [])
}
