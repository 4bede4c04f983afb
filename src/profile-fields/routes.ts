import { endpoint } from '#http/endpoint.ts'
import { profileFieldJson } from './json.ts'
import { listProfileFields as list } from './queries.ts'

/** @source the API description of `GET /realm/profile_fields` */
export const listProfileFields = endpoint({
  method: 'get',
  path: '/realm/profile_fields',
  params: {},
  run: ({ store }) => ({ custom_fields: list(store).map(profileFieldJson) }),
})
