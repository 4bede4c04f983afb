import { endpoint } from '#http/endpoint.ts'
import { bool, text, word } from '#http/params.ts'
import { list } from '#shape.ts'
import * as actions from './actions.ts'
import { domainJson } from './json.ts'
import * as rows from './queries.ts'
import { domainShape } from './shapes.ts'

/** @source api-changes §2b */
export const listDomains = endpoint({
  method: 'get',
  path: '/realm/domains',
  summary: 'List the domains whose addresses may join where addresses are restricted.',
  reply: { domains: list(domainShape) },
  params: {},
  run: ({ store }) => ({ domains: rows.listDomains(store).map(domainJson) }),
})

/** @source api-changes §2b */
export const addDomain = endpoint({
  method: 'post',
  path: '/realm/domains',
  summary: 'Add a domain whose addresses may join where addresses are restricted.',
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: {},
  params: { domain: word(1000), allow_subdomains: bool() },
  run: (caller, p) =>
    caller.store.write((tx) => {
      const wanted = { domain: p.domain, allowSubdomains: p.allow_subdomains }
      actions.addDomain(tx, caller, wanted)
    }),
})

/** @source api-changes §2b */
export const editDomain = endpoint({
  method: 'patch',
  path: '/realm/domains/:domain',
  summary: "Decide whether the addresses of a domain's subdomains may join too.",
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: {},
  params: { domain: text(1000), allow_subdomains: bool() },
  run: (caller, p) =>
    caller.store.write((tx) => {
      const change = { domain: p.domain, allowSubdomains: p.allow_subdomains }
      actions.editDomain(tx, caller, change)
    }),
})

/** @source api-changes §2b */
export const removeDomain = endpoint({
  method: 'delete',
  path: '/realm/domains/:domain',
  summary: 'Remove a domain; with the last one the restriction to domains ends.',
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: {},
  params: { domain: text(1000) },
  run: (caller, p) => caller.store.write((tx) => actions.removeDomain(tx, caller, p.domain)),
})
