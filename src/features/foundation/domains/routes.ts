import { endpoint } from '#platform/http/endpoint.ts'
import { bool, text, word } from '#platform/http/params.ts'
import { limitsText } from '#platform/quotas/room.ts'
import * as shape from '#platform/shape.ts'
import * as actions from './actions.ts'
import { domainJson } from './json.ts'
import * as rows from './queries.ts'
import { domainQuota } from './quotas.ts'
import { domainShape } from './shapes.ts'

/** @source Zulip API, "Get allowed domains" */
export const listDomains = endpoint({
  method: 'get',
  path: '/realm/domains',
  summary:
    'List the allowed domains: with `emails_restricted_to_domains`, only their addresses may join.',
  reply: { domains: shape.list(domainShape) },
  params: {},
  run: ({ store }) => ({ domains: rows.listDomains(store).map(domainJson) }),
})

/** @source Zulip API, "Add an allowed domain" */
export const addDomain = endpoint({
  method: 'post',
  path: '/realm/domains',
  summary: 'Add an allowed domain.',
  description: limitsText(domainQuota),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: {},
  params: { domain: word(1000), allow_subdomains: bool() },
  run: (caller, p) =>
    caller.store.write((tx) => {
      const wanted = { domain: p.domain, allowSubdomains: p.allow_subdomains }
      actions.addDomain(tx, caller, wanted)
    }),
})

/** @source Zulip API, "Update an allowed domain" */
export const editDomain = endpoint({
  method: 'patch',
  path: '/realm/domains/:domain',
  summary: 'Change whether an allowed domain includes its subdomains.',
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: {},
  params: { domain: text(1000), allow_subdomains: bool() },
  run: (caller, p) =>
    caller.store.write((tx) => {
      const change = { domain: p.domain, allowSubdomains: p.allow_subdomains }
      actions.editDomain(tx, caller, change)
    }),
})

/** @source Zulip API, "Remove an allowed domain" */
export const removeDomain = endpoint({
  method: 'delete',
  path: '/realm/domains/:domain',
  summary: 'Remove an allowed domain. Removing the last one lifts the restriction to domains.',
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: {},
  params: { domain: text(1000) },
  run: (caller, p) => caller.store.write((tx) => actions.removeDomain(tx, caller, p.domain)),
})
