import { useComputed } from '@preact/signals'
import { Pencil, RotateCcw, UserX } from 'lucide'
import { useState } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { botTypeText, openBotDialog } from '#client/settings/personal/bot-dialog.tsx'
import { type Column, DataTable } from '#client/settings/ui/data-table.tsx'
import type { User } from '#client/state/model.ts'
import { userName } from '#client/state/names.ts'
import type { Store } from '#client/state/store.ts'
import { IconButton } from '#client/ui/button.tsx'
import { byFolded } from '#client/ui/fuzzy.ts'
import { t } from '#client/ui/t.ts'
import { askToDeactivate } from './deactivate-dialog.tsx'
import { PersonLink } from './person-link.tsx'
import { reactivate } from './reactivate.ts'

/** The bots of everyone; those of the server itself are not managed. */
export function AllBots() {
  const { store } = useApp()
  const [isActive, setActive] = useState(true)
  const bots = useComputed(() =>
    [...store.users.all.values()].filter((user) => user.isBot && !user.isSystemBot),
  )
  const rows = bots.value.filter((bot) => bot.isActive === isActive)
  return (
    <>
      {!store.realm.value.is_admin && (
        <p class="field-help">
          {t('You can edit your own bots. Administrators can edit all bots.')}
        </p>
      )}
      <DataTable
        key={String(isActive)}
        label={isActive ? t('Active bots') : t('Deactivated bots')}
        rows={rows}
        columns={columnsFor(store)}
        keyOf={({ id }) => id}
        words={({ name, email }) => [name, email]}
        sortedBy="name"
        empty={
          isActive
            ? t('There are no bots. People with permission can create them under “Your bots”.')
            : t('There are no deactivated bots.')
        }
        tools={
          <select
            class="input select"
            aria-label={t('Which bots')}
            value={String(isActive)}
            onChange={(event) => setActive(event.currentTarget.value === 'true')}
          >
            <option value="true">{t('Active')}</option>
            <option value="false">{t('Deactivated')}</option>
          </select>
        }
      />
    </>
  )
}

function columnsFor(store: Store): readonly Column<User>[] {
  const ownerOf = ({ ownerId }: User) => (ownerId === null ? '' : userName(ownerId, store))
  return [
    {
      id: 'name',
      title: t('Name'),
      compare: (a, b) => byFolded(a.name, b.name),
      cell: (bot) => <PersonLink user={bot} hasPicture />,
    },
    {
      id: 'kind',
      title: t('Kind'),
      isWide: true,
      compare: (a, b) => (a.botType ?? 0) - (b.botType ?? 0),
      cell: ({ botType }) => botTypeText(botType),
    },
    {
      id: 'owner',
      title: t('Owner'),
      isWide: true,
      compare: (a, b) => byFolded(ownerOf(a), ownerOf(b)),
      cell: ({ ownerId }) => <BotOwner ownerId={ownerId} />,
    },
    {
      id: 'email',
      title: t('Address'),
      isWide: true,
      compare: (a, b) => byFolded(a.email, b.email),
      cell: ({ email }) => email,
    },
    {
      id: 'actions',
      title: t('Actions'),
      hasHiddenTitle: true,
      isNarrow: true,
      cell: (bot) => <BotActions bot={bot} />,
    },
  ]
}

function BotOwner({ ownerId }: { readonly ownerId: number | null }) {
  const { store } = useApp()
  const owner = ownerId === null ? undefined : store.users.get(ownerId)
  return owner ? <PersonLink user={owner} /> : <span class="field-help">{t('Nobody')}</span>
}

function BotActions({ bot }: { readonly bot: User }) {
  const app = useApp()
  const { name } = bot
  const { realm_bots, is_admin } = app.store.realm.value
  if (!bot.isActive) {
    if (!is_admin) return null
    return (
      <IconButton
        label={t('Reactivate {name}', { name })}
        icon={RotateCcw}
        size={16}
        onClick={() => void reactivate(app, bot)}
      />
    )
  }
  // The server reports the settings of bots that the user administers.
  const settings = realm_bots.find(({ user_id }) => user_id === bot.id)
  if (!settings) return null
  return (
    <span class="row-actions">
      <IconButton
        label={t('Edit {name}', { name })}
        icon={Pencil}
        size={16}
        onClick={() => openBotDialog(settings)}
      />
      <IconButton
        label={t('Deactivate {name}', { name })}
        icon={UserX}
        size={16}
        onClick={() => askToDeactivate(bot.id)}
      />
    </span>
  )
}
