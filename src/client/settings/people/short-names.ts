import type { Store } from '#client/state/store.ts'

/** The short name that a name suggests: `deploy-watch` of "Deploy Watch Bot". */
export function shortNameOf(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9_.]+/g, '-')
    .replace(/-bot-?$/, '')
    .replace(/^[-.]+|(?<![-.])[-.]+$/g, '')
}

/** A short name with whose address there is no bot, as far as the client knows. */
export function freeShortName({ realm, users }: Store, wanted: string): string {
  const host = realm.value.realm_bot_domain
  const bots = realm.value.realm_bots.map(({ email }) => email)
  const taken = new Set([...bots, ...[...users.all.values()].map((user) => user.deliveryEmail)])
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? wanted : `${wanted}-${count}`
    if (!taken.has(`${name}-bot@${host}`)) return name
  }
}
