import { useComputed } from '@preact/signals'
import { Pencil, RotateCcw, UserX } from 'lucide'
import { useMemo, useState } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { roleNames, roles, roleText } from '#client/lists/roles.ts'
import { PresenceDot, presenceText } from '#client/messages/presence.tsx'
import { type Column, DataTable } from '#client/settings/ui/data-table.tsx'
import type { Role, User } from '#client/state/model.ts'
import type { Store } from '#client/state/store.ts'
import { IconButton } from '#client/ui/button.tsx'
import { byFolded } from '#client/ui/fuzzy.ts'
import { t, tn } from '#client/ui/t.ts'
import { askToDeactivate } from './deactivate-dialog.tsx'
import { InviteButtons } from './invite-buttons.tsx'
import { openPersonPage } from './open-person.tsx'
import { PersonLink } from './person-link.tsx'
import { reactivate } from './reactivate.ts'
import { accountLock } from './rights.ts'

/** Everyone who can log in. */
export function ActivePeople() {
  const app = useApp()
  return (
    <PeopleTable
      label={t('Active people')}
      isListed={({ isActive }) => isActive}
      columns={[
        ...commonColumns(),
        {
          id: 'seen',
          title: t('Last active'),
          isWide: true,
          // Without a subscription: presences change all the time.
          compare: (a, b) => seenAt(app.store, a) - seenAt(app.store, b),
          cell: ({ id }) => <LastActive userId={id} />,
        },
        actionColumn((user) => <ActiveActions user={user} />),
      ]}
      empty={t('There is no one here.')}
      tools={<InviteButtons />}
    />
  )
}

/** Everyone who could log in once. */
export function DeactivatedPeople() {
  return (
    <PeopleTable
      label={t('Deactivated people')}
      isListed={({ isActive }) => !isActive}
      columns={[...commonColumns(), actionColumn((user) => <Reactivation user={user} />)]}
      empty={t('No one is deactivated. Deactivating people who leave keeps their messages.')}
    />
  )
}

interface PeopleTableProps {
  readonly label: string
  readonly isListed: (user: User) => boolean
  readonly columns: readonly Column<User>[]
  readonly empty: string
  readonly tools?: preact.ComponentChildren
}

function PeopleTable({ label, isListed, columns, empty, tools }: PeopleTableProps) {
  const { store } = useApp()
  const [role, setRole] = useState<Role | undefined>()
  const people = useComputed(() =>
    [...store.users.all.values()].filter((user) => !user.isBot && isListed(user)),
  )
  const rows = useMemo(
    () => (role === undefined ? people.value : people.value.filter((one) => one.role === role)),
    [people.value, role],
  )
  return (
    <div class="stack loose">
      <p class="field-help">
        {tn(rows.length, 'One person.', '{count} people.')}{' '}
        {!store.realm.value.is_admin && t('Administrators can change their accounts.')}
      </p>
      <DataTable
        label={label}
        rows={rows}
        columns={columns}
        keyOf={({ id }) => id}
        words={({ name, email, deliveryEmail }) => [name, deliveryEmail ?? email]}
        sortedBy="name"
        empty={role === undefined ? empty : t('No one has this role.')}
        tools={
          <>
            <select
              class="input select"
              aria-label={t('Role')}
              value={String(role ?? '')}
              onChange={({ currentTarget }) => {
                const chosen = Number(currentTarget.value)
                setRole(roles.find((each) => each === chosen))
              }}
            >
              <option value="">{t('All roles')}</option>
              {roles.map((each) => (
                <option key={each} value={String(each)}>
                  {t(roleNames[each])}
                </option>
              ))}
            </select>
            {tools}
          </>
        }
      />
    </div>
  )
}

function commonColumns(): readonly Column<User>[] {
  return [
    {
      id: 'name',
      title: t('Name'),
      compare: (a, b) => byFolded(a.name, b.name),
      cell: (user) => <PersonLink user={user} hasPicture />,
    },
    {
      id: 'role',
      title: t('Role'),
      compare: (a, b) => a.role - b.role || byFolded(a.name, b.name),
      cell: roleText,
    },
    {
      id: 'email',
      title: t('Email address'),
      isWide: true,
      compare: (a, b) => byFolded(a.deliveryEmail ?? '', b.deliveryEmail ?? ''),
      cell: ({ deliveryEmail }) => deliveryEmail ?? <span class="field-help">{t('Hidden')}</span>,
    },
  ]
}

function actionColumn(cell: Column<User>['cell']): Column<User> {
  return { id: 'actions', title: t('Actions'), hasHiddenTitle: true, isNarrow: true, cell }
}

/** When someone was there last, in seconds since the epoch; infinity for oneself. */
function seenAt({ presences, selfId }: Store, { id }: User): number {
  if (id === selfId) return Number.POSITIVE_INFINITY
  const presence = presences.peek(id)
  return presence ? Math.max(presence.activeAt, presence.idleAt) : 0
}

function LastActive({ userId }: { readonly userId: number }) {
  const app = useApp()
  const isKnown = userId === app.store.selfId || app.store.presences.get(userId) !== undefined
  if (!isKnown) return <span class="field-help">{t('Not lately')}</span>
  return (
    <span class="row presence-cell">
      <PresenceDot userId={userId} /> {presenceText(app, userId)}
    </span>
  )
}

function ActiveActions({ user }: { readonly user: User }) {
  const app = useApp()
  const { name } = user
  if (accountLock(app.store, user) !== undefined) return null
  return (
    <span class="row-actions">
      <IconButton
        class="data-wide"
        label={t('Manage {name}', { name })}
        icon={Pencil}
        size={16}
        onClick={() => openPersonPage(app, user.id, 'manage')}
      />
      {user.id !== app.store.selfId && (
        <IconButton
          label={t('Deactivate {name}', { name })}
          icon={UserX}
          size={16}
          onClick={() => askToDeactivate(user.id)}
        />
      )}
    </span>
  )
}

function Reactivation({ user }: { readonly user: User }) {
  const app = useApp()
  if (accountLock(app.store, user) !== undefined) return null
  return (
    <IconButton
      label={t('Reactivate {name}', { name: user.name })}
      icon={RotateCcw}
      size={16}
      onClick={() => void reactivate(app, user)}
    />
  )
}
