import type { Reading } from '#features/organization/imports/source.ts'
import type { Item, PersonItem } from '#features/organization/imports/stream.ts'
import { type Directory, pathOf } from './directory.ts'
import type { UserRow } from './rows.ts'

/** The people of the team and the bots of the server, with their profiles. */
export function* people(reading: Reading, directory: Directory): Generator<Item> {
  const { bots, users } = directory
  let hasField = false
  for (const row of users.values()) {
    if (bots.has(row.username) || !directory.isMember(row.username)) continue
    yield personItem(reading, directory, row)
    if (row.position.trim() === '') continue
    if (!hasField) yield { type: 'profileField', key: 'position', name: 'Position', kind: 1 }
    hasField = true
    const value = row.position.trim().slice(0, 50)
    yield { type: 'profileValue', person: row.username, field: 'position', value }
  }
  for (const row of bots.values()) {
    const owner = directory.keyOf(row.owner.toLowerCase())
    yield {
      type: 'person',
      key: row.username,
      name: row.display_name || row.username,
      role: 'member',
      isActive: false,
      bot: { kind: 'generic', ...(users.has(owner) && { owner }) },
    }
  }
}

/** Someone of the server; those who are not in the team are deactivated. */
export function personItem(reading: Reading, directory: Directory, row: UserRow): PersonItem {
  const { delete_at, email, first_name, last_name, nickname, profile_image, username } = row
  const picture = profile_image === '' ? undefined : pathOf(reading, profile_image)
  return {
    type: 'person',
    key: username,
    name: `${first_name} ${last_name}`.trim() || nickname || username,
    email: email || undefined,
    role: roleOf(directory, row),
    isActive: delete_at === 0 && directory.isMember(username),
    ...(picture !== undefined && { avatar: () => reading.archive.read(picture) }),
  }
}

function roleOf({ team }: Directory, { roles, teams }: UserRow): PersonItem['role'] {
  const inTeam = teams.find(({ name }) => name === team?.name)?.roles ?? ''
  const has = (role: string) => `${roles} ${inTeam}`.split(/\s+/).includes(role)
  if (has('system_admin')) return 'owner'
  if (has('team_admin')) return 'admin'
  return has('system_guest') || has('team_guest') ? 'guest' : 'member'
}

/** The channels of the team, and their members. */
export function* channels({ channels, team, users }: Directory): Generator<Item> {
  for (const row of channels.values()) {
    yield {
      type: 'channel',
      key: row.name,
      name: row.display_name || row.name,
      description: row.purpose || row.header,
      isPrivate: row.type !== 'O',
      isArchived: row.delete_at > 0 || row.deleted_at > 0,
      isDefault: row.name === 'town-square',
    }
  }
  for (const { teams, username } of users.values()) {
    const own = teams.find(({ name }) => name === team?.name)
    for (const { favorite, name, notify_props } of own?.channels ?? []) {
      yield {
        type: 'membership',
        channel: name,
        person: username,
        isPinned: favorite,
        isMuted: notify_props?.mark_unread === 'mention',
      }
    }
  }
}
