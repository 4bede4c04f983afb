import { Users } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import type { Overlay } from '#client/narrow/narrow.ts'
import {
  Directory,
  DirectoryPane,
  DirectoryRow,
  EmptyPane,
} from '#client/settings/directory/directory.tsx'
import { groupName } from '#client/settings/ui/group-names.ts'
import { peopleOf } from '#client/settings/ui/group-value.ts'
import type { Group } from '#client/state/model.ts'
import { byName } from '#client/state/names.ts'
import { can, isIn } from '#client/state/permissions.ts'
import type { Store } from '#client/state/store.ts'
import { FilterField } from '#client/ui/filter-field.tsx'
import { matcher } from '#client/ui/fuzzy.ts'
import { Icon } from '#client/ui/icon.tsx'
import { t, tn } from '#client/ui/t.ts'
import { text } from '#translations/translate.ts'
import { GroupGeneral } from './general.tsx'
import { GroupMembers } from './members.tsx'
import { NewGroup } from './new-group.tsx'
import { GroupPermissions } from './permissions.tsx'

type GroupOverlay = Extract<Overlay, { readonly kind: 'groups' | 'group' }>
type Tab = Exclude<Extract<Overlay, { readonly kind: 'groups' }>['tab'], 'new'>

interface GroupSettingsProps {
  readonly overlay: GroupOverlay
  readonly onClose: () => void
}

/** All user groups: to view, join, set up and create. */
export function GroupSettings({ overlay, onClose }: GroupSettingsProps) {
  const { store, router } = useApp()
  const [filter, setFilter] = useState('')
  const lastTab = useRef<Tab>('all')
  if (overlay.kind === 'groups' && overlay.tab !== 'new') lastTab.current = overlay.tab
  const tab = lastTab.current
  const tabs: readonly (readonly [Tab, string])[] = [
    ['your', t('Your groups')],
    ['all', t('All groups')],
  ]
  const href = (target: Overlay) => router.href(target)
  const isNew = overlay.kind === 'groups' && overlay.tab === 'new'
  const chosen = overlay.kind === 'group' ? overlay.groupId : undefined
  const back = { label: t('All groups'), href: href({ kind: 'groups', tab }) }
  const mayCreate = can(store, 'can_create_groups')
  const listed = listedGroups(store, tab, filter)
  return (
    <Directory
      title={t('Groups')}
      tabs={tabs.map(([id, label]) => ({ id, label, href: href({ kind: 'groups', tab: id }) }))}
      tab={tab}
      tools={
        <FilterField
          label={t('Filter groups')}
          value={filter}
          onChange={setFilter}
          onChoose={() => {
            const [first] = listed
            if (first) router.go({ kind: 'group', groupId: first.id, section: 'general' })
          }}
        />
      }
      rows={listed.map((group) => (
        <GroupRow key={group.id} group={group} isChosen={group.id === chosen} />
      ))}
      empty={
        filter.trim() === '' && tab === 'your' ? t('You are not in any groups') : t('No such group')
      }
      create={
        mayCreate
          ? { label: t('New group'), href: href({ kind: 'groups', tab: 'new' }) }
          : undefined
      }
      isChosen={isNew || chosen !== undefined}
      onClose={onClose}
    >
      {isNew ? (
        <DirectoryPane key="new" title={t('New group')} back={back}>
          {mayCreate ? (
            <NewGroup />
          ) : (
            <p>{t("The organization's permissions do not allow you to create groups.")}</p>
          )}
        </DirectoryPane>
      ) : overlay.kind === 'group' ? (
        <GroupPane
          key={overlay.groupId}
          groupId={overlay.groupId}
          section={overlay.section}
          back={back}
        />
      ) : (
        <EmptyPane text={t('Choose a group to see who is in it.')} />
      )}
    </Directory>
  )
}

/** The groups of a tab that match what is typed. Deactivated ones come last, and only among all. */
function listedGroups(store: Store, tab: Tab, typed: string): Group[] {
  const isWanted = matcher(typed)
  return [...store.groups.all.values()]
    .filter(({ isSystem }) => !isSystem)
    .filter(({ id, isDeactivated }) =>
      tab === 'all' ? true : !isDeactivated && isIn(store.groups, id, store.selfId),
    )
    .filter(({ name, description }) => isWanted(name, description))
    .sort((a, b) => Number(a.isDeactivated) - Number(b.isDeactivated) || byName(a.name, b.name))
}

interface GroupRowProps {
  readonly group: Group
  readonly isChosen: boolean
}

function GroupRow({ group, isChosen }: GroupRowProps) {
  const { store, router } = useApp()
  const count = peopleOf({ members: [], subgroups: [group.id] }, store).length
  const people = tn(count, 'one person', '{count} people')
  return (
    <DirectoryRow
      href={router.href({ kind: 'group', groupId: group.id, section: 'general' })}
      icon={<Icon node={Users} size={16} />}
      name={group.name}
      about={group.isDeactivated ? t('Deactivated') : group.description || people}
      mark={isIn(store.groups, group.id, store.selfId) ? t('You are in it') : undefined}
      isChosen={isChosen}
      isInactive={group.isDeactivated}
    />
  )
}

interface GroupPaneProps {
  readonly groupId: number
  readonly section: string
  readonly back: { readonly label: string; readonly href: string }
}

const pages = [
  ['general', text('General'), GroupGeneral],
  ['members', text('Members'), GroupMembers],
  ['permissions', text('Permissions'), GroupPermissions],
] as const

function GroupPane({ groupId, section, back }: GroupPaneProps) {
  const { store, router } = useApp()
  const group = store.groups.get(groupId)
  if (!group || group.isSystem) {
    return <EmptyPane text={t('This group does not exist, or cannot be changed.')} />
  }
  const [id, , Page] = pages.find(([name]) => name === section) ?? pages[0]
  return (
    <DirectoryPane
      title={
        <>
          <Icon node={Users} size={20} /> {groupName(group)}
        </>
      }
      back={back}
      sections={pages.map(([name, label]) => ({
        id: name,
        label: t(label),
        href: router.href({ kind: 'group', groupId, section: name }),
      }))}
      section={id}
    >
      <Page group={group} />
    </DirectoryPane>
  )
}
