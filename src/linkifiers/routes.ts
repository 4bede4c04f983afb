import { endpoint } from '#http/endpoint.ts'
import { linkifierJson } from './json.ts'
import { listLinkifiers as list } from './queries.ts'

/** @source the API description of `GET /realm/linkifiers` */
export const listLinkifiers = endpoint({
  method: 'get',
  path: '/realm/linkifiers',
  params: {},
  run: (caller) => ({ linkifiers: list(caller.store).map(linkifierJson) }),
})
