import { boolean, named, string } from '#shape.ts'

/** @source the API description's `RealmDomain` */
export const domainShape = named('RealmDomain', { domain: string, allow_subdomains: boolean })
