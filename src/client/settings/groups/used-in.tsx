import { useApp } from '#client/app-context.ts'
import {
  channelPermissionLabels,
  groupPermissionLabels,
} from '#client/settings/labels/permissions.ts'
import { realmPermissionOffers } from '#client/settings/labels/realm.ts'
import type { NotOffered, SettingOffer } from '#client/settings/offers.ts'
import { groupName } from '#client/settings/ui/group-names.ts'
import { byName, channelName } from '#client/state/names.ts'
import { listText, t } from '#client/ui/t.ts'
import type { Text } from '#translations/translate.ts'
import { type GroupUses, isUsed } from './uses.ts'

interface Line {
  readonly key: string
  readonly href: string
  readonly place: string
  readonly permissions: string
}

/** The permissions, channels and groups that refer to a group, with links. */
export function UsedIn({ uses }: { readonly uses: GroupUses }) {
  const { store, router } = useApp()
  if (!isUsed(uses)) return <p class="field-help">{t('This group is not used anywhere.')}</p>
  const labels = (names: readonly string[], table: Readonly<Record<string, Text>>) =>
    listText(
      names.map((name) => (table[name] ? t(table[name]) : name)),
      'narrow',
    )
  const lines: Line[] = [
    ...(uses.realm.length > 0
      ? [
          {
            key: 'realm',
            href: router.href({
              kind: 'settings',
              area: 'organization',
              path: ['organization-permissions'],
            }),
            place: t('The organization'),
            permissions: labels(uses.realm, realmLabels),
          },
        ]
      : []),
    ...uses.channels.map(({ id, permissions }) => ({
      key: `channel ${id}`,
      href: router.href({ kind: 'channel', channelId: id, section: 'permissions' }),
      place: `#${channelName(id, store)}`,
      permissions: labels(permissions, channelPermissionLabels),
    })),
    ...uses.groups.map(({ id, permissions }) => ({
      key: `group ${id}`,
      href: router.href({ kind: 'group', groupId: id, section: 'permissions' }),
      place: groupName(store.groups.get(id)),
      permissions: labels(permissions, groupPermissionLabels),
    })),
    ...uses.supergroups.map((id) => ({
      key: `supergroup ${id}`,
      href: router.href({ kind: 'group', groupId: id, section: 'members' }),
      place: groupName(store.groups.get(id)),
      permissions: t('Its members'),
    })),
  ].sort((a, b) => byName(a.place, b.place))
  return (
    <ul class="stack tight directory-uses">
      {lines.map(({ key, href, place, permissions }) => (
        <li key={key}>
          <a href={href}>{place}</a>: {permissions}
        </li>
      ))}
    </ul>
  )
}

const realmLabels: Readonly<Record<string, Text>> = Object.fromEntries(
  Object.entries<SettingOffer | NotOffered>(realmPermissionOffers).flatMap(([name, offer]) =>
    'label' in offer ? [[name, offer.label]] : [],
  ),
)
