import { requireRealm } from '#features/foundation/realm/queries.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { roles } from '#features/foundation/users/queries.ts'
import { seconds } from '#platform/clock.ts'
import type { SystemContext } from '#platform/context.ts'
import { featureLevel, zulipVersion } from '#platform/version.ts'
import { countAccounts, type ServiceState } from './queries.ts'

/** The kinds of entries about the number of accounts. */
const entryTypes = { created: 101, deactivated: 103, roleChanged: 105 } as const

/** The number of active accounts by role, as the service counts them. */
export function accountCounts(read: SystemContext['store']): string {
  const { people, bots } = countAccounts(read)
  const byRole = Object.values(roles).map((role) => [String(role), people.get(role) ?? 0])
  return JSON.stringify({ 11: Object.fromEntries(byRole), 12: bots })
}

/**
 * The data about this server for the push service: its address, the organization's name, kind and
 * age, and how many accounts have each role. No message, name or address of anyone.
 *
 * @param lastEntry the number of the last entry that the service has
 */
export function factsFor(
  { store, realmUrl, config }: SystemContext,
  state: Pick<ServiceState, 'ownerSecret' | 'counts'>,
  lastEntry: number,
): Record<string, string> {
  const realm = requireRealm(store)
  const url = config.externalUrl ?? realmUrl
  const counts = accountCounts(store)
  const entry = {
    id: lastEntry + 1,
    realm: realm.id,
    event_time: seconds(store.clock),
    backfilled: false,
    extra_data: { 10: JSON.parse(counts) },
    event_type: entryType(state.counts, counts),
  }
  const organization = {
    id: realm.id,
    host: new URL(url).host,
    url,
    name: realm.name,
    org_type: realmSetting(store, 'org_type'),
    date_created: realm.dateCreated,
    deactivated: realm.deactivatedAt !== null,
    is_system_bot_realm: false,
    authentication_methods: {},
    uuid: realm.uuid,
    uuid_owner_secret: state.ownerSecret,
  }
  const members = {
    realm_counts: [],
    installation_counts: [],
    realmauditlog_rows: [entry],
    realms: [organization],
    version: zulipVersion,
    merge_base: zulipVersion,
    api_feature_level: featureLevel,
  }
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, JSON.stringify(value)]),
  )
}

function entryType(before: string | null, now: string): number {
  const all = (counts: string) =>
    Object.values((JSON.parse(counts) as { 11: Record<string, number> })[11]).reduce(
      (sum, count) => sum + count,
      0,
    )
  if (before === null || all(now) > all(before)) return entryTypes.created
  return all(now) < all(before) ? entryTypes.deactivated : entryTypes.roleChanged
}
