import type { FolderItem, GroupItem } from '#features/organization/imports/stream.ts'
import type { Directory } from './directory.ts'
import { permissionsIn } from './rows.ts'

/** Named groups, system groups, and anonymous ones, which are the values of settings. */
export function* groups(directory: Directory): Generator<GroupItem> {
  const { groupMembers, groups: ids, namedGroups, subgroups } = directory
  for (const id of new Set([...ids, ...namedGroups.keys()])) {
    const row = namedGroups.get(id)
    if (row?.is_system_group) {
      yield { type: 'group', key: String(id), name: row.name, system: row.name }
      continue
    }
    yield {
      type: 'group',
      key: String(id),
      id,
      name: row?.name ?? null,
      description: row?.description,
      creator: row?.creator ? String(row.creator) : undefined,
      created: row?.date_created ?? undefined,
      isActive: row?.deactivated !== true,
      members: (groupMembers.get(id) ?? []).map(String),
      subgroups: (subgroups.get(id) ?? []).map(String),
      permissions: permissionsIn(row ?? {}),
    }
  }
}

export function* folders({ folders }: Directory): Generator<FolderItem> {
  for (const row of [...folders].sort((a, b) => a.order - b.order || a.id - b.id)) {
    yield {
      type: 'folder',
      key: String(row.id),
      id: row.id,
      name: row.name,
      description: row.description,
      creator: row.creator ? String(row.creator) : undefined,
      created: row.date_created ?? undefined,
      isArchived: row.is_archived,
    }
  }
}
