import { createUser, newApiKey } from '#features/access/accounts/actions.ts'
import { putBotOptions, putBotService } from '#features/foundation/bots/queries.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { updateApiAddress } from '#features/foundation/users/address-changes.actions.ts'
import { placeholderOwner } from '#features/foundation/users/addresses.queries.ts'
import { mendedFullName } from '#features/foundation/users/full-names.ts'
import { findUserByAddress, roles, updateUser } from '#features/foundation/users/queries.ts'
import { isAddress } from '#features/foundation/users/rules.ts'
import { setUserSetting } from '#features/foundation/users/settings.queries.ts'
import { type UserSettingName, userSettingRules } from '#features/foundation/users/settings.ts'
import type { PersonItem } from '#features/organization/imports/stream.ts'
import { fixedClock } from '#platform/clock.ts'
import { botStorage, botTypes } from '#platform/store/schema.ts'
import { isTimeZone } from '#platform/time-zone-names.ts'
import { bulkInsert } from './bulk.queries.ts'
import { isSetting } from './organization.actions.ts'
import { now, timeOf, type Work } from './work.actions.ts'

const insertStorage = bulkInsert(botStorage)

/** Makes an account of a person or a bot; nobody can log in to it with a password. */
export function writePerson(work: Work, item: PersonItem): void {
  const { notes, people, tx } = work
  const { bot, key, systemBot } = item
  if (systemBot !== undefined) {
    const id = people.get(`system:${systemBot}`)
    if (id === undefined) notes.skipped('people', 'other-server', systemBot)
    else people.set(key, id)
    return
  }
  const known = people.get(key)
  if (known !== undefined && work.placeholders.delete(key)) {
    const name = mendedFullName(item.name)
    if (name !== '') updateUser(tx, known, { fullName: name })
    return
  }
  if (known !== undefined) {
    notes.skipped('people', 'duplicate', key)
    return
  }
  const fullName = mendedFullName(item.name) || `${work.source.title} ${key}`
  if (fullName !== item.name) notes.changed('people', 'new-name', key)
  const clock = fixedClock((timeOf(item.joined) ?? now(work)) * 1000)
  const user = createUser(
    { ...tx, clock },
    {
      ...(item.id !== undefined && { id: item.id }),
      email: addressOf(work, item),
      fullName,
      role: roles[item.role],
      timezone: item.timezone !== undefined && isTimeZone(item.timezone) ? item.timezone : '',
      ...(bot && { botType: botTypes[bot.kind] }),
    },
  )
  people.set(key, user.id)
  notes.imported('people')
  updateUser(tx, user.id, { isActive: item.isActive, awaitsFirstLogin: !bot })
  for (const [name, value] of Object.entries(item.settings ?? {})) {
    if (isSetting(userSettingRules, name, value)) {
      setUserSetting(tx, user.id, name as UserSettingName, value as never)
    } else notes.skipped('settings', 'bad-value', `${name} of a person`)
  }
  if (item.settings) updateApiAddress(tx, user)
  if (bot) work.later.push(() => writeBot(work, user.id, bot))
}

/** The address of a person: from the export, from the import's options, or a placeholder. */
function addressOf(work: Work, { email, key, name }: PersonItem): string {
  const { addresses, notes, tx } = work
  const given = addresses.get(key.toLowerCase()) ?? addresses.get(name.toLowerCase())
  const wanted = (given ?? email ?? '').trim()
  if (wanted === '') notes.changed('people', 'no-address', key)
  else if (!isAddress(wanted)) notes.changed('people', 'bad-value', `address of ${key}`)
  else if (findUserByAddress(tx, wanted) || placeholderOwner(tx, wanted) !== undefined) {
    notes.changed('people', 'duplicate', `address of ${key}`)
  } else return wanted
  return placeholderOf(work, key)
}

/** An address that nobody has and no mail is sent to. */
function placeholderOf({ source, tx }: Work, key: string): string {
  const name = `${source.name}-${key.replace(/[^\w.-]+/g, '-')}`.slice(0, 60)
  const domain = realmSetting(tx, 'placeholder_domain')
  for (let n = 1; ; n++) {
    const address = `${name}${n === 1 ? '' : `-${n}`}@${domain}`
    if (!findUserByAddress(tx, address)) return address
  }
}

function writeBot(work: Work, id: number, bot: NonNullable<PersonItem['bot']>): void {
  const { channels, people, tx } = work
  const owner = people.get(bot.owner ?? '')
  if (owner !== undefined) updateUser(tx, id, { botOwnerId: owner })
  const sendsTo = channels.get(bot.sendsTo ?? '')?.id ?? null
  const hearsFrom = channels.get(bot.hearsFrom ?? '')?.id ?? null
  if (sendsTo !== null || hearsFrom !== null || bot.options) {
    putBotOptions(tx, id, {
      sendingChannelId: sendsTo,
      eventsChannelId: hearsFrom,
      allPublicChannels: false,
      integration: null,
      awaitsOwner: false,
      config: { ...bot.options },
    })
  }
  if (bot.service) {
    const { format, url } = bot.service
    const token = newApiKey()
    putBotService(tx, id, { baseUrl: url, interface: format === 'slack' ? 2 : 1, token })
  }
  for (const [key, value] of Object.entries(bot.storage ?? {})) {
    insertStorage(tx, { userId: id, key, value, size: key.length + value.length })
  }
}

/** The account of a person, or a deactivated one if they are not in the export. */
export function personOf(work: Work, key: string): number {
  const known = work.people.get(key)
  if (known !== undefined) return known
  work.notes.changed('people', 'placeholder', key)
  writePerson(work, {
    type: 'person',
    key,
    name: `${work.source.title} ${key}`,
    role: 'member',
    isActive: false,
    email: placeholderOf(work, key),
  })
  work.placeholders.add(key)
  return work.people.get(key) ?? 0
}
