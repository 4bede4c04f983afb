import { Users, X } from 'lucide'
import { useApp } from '#client/app-context.ts'
import { attempt } from '#client/commands/attempt.ts'
import { AddPeople } from '#client/settings/directory/add-people.tsx'
import { PeopleTable } from '#client/settings/directory/people-table.tsx'
import { groupName } from '#client/settings/ui/group-names.ts'
import { byName } from '#client/state/names.ts'
import { IconButton } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'
import { draftKeyOf, type GroupPageProps } from './group-page.ts'
import { addingLock, canLeave, canRemove } from './rights.ts'

/** The people and groups in a group, to add and to remove. */
export function GroupMembers({ group }: GroupPageProps) {
  const { store, api } = useApp()
  const path = `/user_groups/${group.id}/members`
  return (
    <>
      {!group.isDeactivated && (
        <section class="setting-group">
          <AddPeople
            label={t('Add people and groups')}
            help={t('Members of groups you add here are members of this group.')}
            draftKey={`${draftKeyOf(group)} add`}
            locked={addingLock(store, group)}
            action={t('Add them')}
            onAdd={({ members, subgroups }) =>
              api.post(path, {
                add: members.filter((id) => !group.memberIds.has(id)),
                add_subgroups: subgroups.filter((id) => !group.subgroupIds.has(id)),
              })
            }
          />
        </section>
      )}
      {group.subgroupIds.size > 0 && <Subgroups group={group} path={path} />}
      <section class="setting-group setting-group-wide">
        <h4>{t('People')}</h4>
        <PeopleTable
          label={t('People')}
          ids={group.memberIds}
          empty={t('It has no direct members.')}
          canRemove={({ id }) =>
            canRemove(store, group) || (id === store.selfId && canLeave(store, group))
          }
          onRemove={({ id }) => api.post(path, { delete: [id] })}
        />
      </section>
    </>
  )
}

function Subgroups({ group, path }: GroupPageProps & { readonly path: string }) {
  const app = useApp()
  const { store, router } = app
  const subgroups = [...group.subgroupIds]
    .flatMap((id) => store.groups.get(id) ?? [])
    .map((subgroup) => ({ ...subgroup, name: groupName(subgroup) }))
    .sort((a, b) => byName(a.name, b.name))
  return (
    <section class="setting-group">
      <h4>{t('Groups in it')}</h4>
      <ul class="cluster tight" aria-label={t('Groups in it')}>
        {subgroups.map(({ id, name, isSystem }) => (
          <li key={id} class="row tight group-chip">
            <Icon node={Users} size={14} />
            {isSystem ? (
              name
            ) : (
              <a href={router.href({ kind: 'group', groupId: id, section: 'members' })}>{name}</a>
            )}
            {canRemove(store, group) && (
              <IconButton
                label={t('Remove {name}', { name })}
                icon={X}
                size={14}
                onClick={() => void attempt(app, app.api.post(path, { delete_subgroups: [id] }))}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
