import { useMemo } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { attempt } from '#client/commands/attempt.ts'
import { useBusy } from '#client/commands/use-busy.ts'
import { type Column, DataTable } from '#client/settings/ui/data-table.tsx'
import type { User } from '#client/state/model.ts'
import { byName } from '#client/state/names.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Button } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'

interface PeopleTableProps {
  readonly label: string
  readonly ids: Iterable<number>
  readonly empty: string
  readonly canRemove: (user: User) => boolean
  /** @throws CallError */
  readonly onRemove: (user: User) => Promise<unknown>
}

/** People with a button to remove each, where that is allowed. */
export function PeopleTable({ label, ids, empty, canRemove, onRemove }: PeopleTableProps) {
  const { store, router } = useApp()
  const users = store.users.all
  const version = store.users.version.value
  const rows = useMemo(
    () => [...ids].flatMap((id) => users.get(id) ?? []).filter(({ isActive }) => isActive),
    [ids, version],
  )
  const columns: readonly Column<User>[] = [
    {
      id: 'name',
      title: t('Name'),
      compare: (a, b) => byName(a.name, b.name),
      cell: (user) => (
        <a class="row person-cell" href={router.href({ kind: 'user', userId: user.id })}>
          <Avatar user={user} size={24} /> {user.name}
        </a>
      ),
    },
    {
      id: 'address',
      title: t('Address'),
      isWide: true,
      compare: (a, b) => byName(addressOf(a), addressOf(b)),
      cell: addressOf,
    },
    {
      id: 'remove',
      title: t('Remove'),
      hasHiddenTitle: true,
      isNarrow: true,
      cell: (user) => canRemove(user) && <RemoveButton user={user} onRemove={onRemove} />,
    },
  ]
  return (
    <DataTable
      label={label}
      rows={rows}
      columns={columns}
      keyOf={({ id }) => id}
      words={(user) => [user.name, addressOf(user)]}
      sortedBy="name"
      empty={empty}
    />
  )
}

function addressOf({ deliveryEmail }: User): string {
  return deliveryEmail ?? ''
}

function RemoveButton({ user, onRemove }: Pick<PeopleTableProps, 'onRemove'> & { user: User }) {
  const app = useApp()
  const [isBusy, busily] = useBusy()
  return (
    <Button
      kind="quiet"
      isBusy={isBusy}
      aria-label={t('Remove {name}', { name: user.name })}
      onClick={() => void busily(attempt(app, onRemove(user)))}
    >
      {t('Remove')}
    </Button>
  )
}
