import { useApp } from '#client/app-context.ts'
import { attempt } from '#client/commands/attempt.ts'
import { type Column, DataTable } from '#client/settings/ui/data-table.tsx'
import { byName, userName } from '#client/state/names.ts'
import { Button } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'

interface MutedPerson {
  readonly id: number
  readonly name: string
}

/** People whose messages the user does not want to see. */
export function MutedPeople() {
  const app = useApp()
  const { store } = app
  const rows = [...store.mutedUsers.value].map((id) => ({ id, name: userName(id, store) }))
  const unmute = async ({ id, name }: MutedPerson) => {
    await attempt(app, app.changes.setMuted(id, false))
    app.notify(t('{name} is no longer muted.', { name }))
  }
  const columns: readonly Column<MutedPerson>[] = [
    {
      id: 'name',
      title: t('Name'),
      compare: (a, b) => byName(a.name, b.name),
      cell: ({ id, name }) => <a href={app.router.href({ kind: 'user', userId: id })}>{name}</a>,
    },
    {
      id: 'unmute',
      title: t('Unmute'),
      hasHiddenTitle: true,
      isNarrow: true,
      cell: (row) => (
        <Button
          kind="quiet"
          aria-label={t('Unmute {name}', { name: row.name })}
          onClick={() => void unmute(row)}
        >
          {t('Unmute')}
        </Button>
      ),
    },
  ]
  return (
    <>
      <p class="field-help">
        {t(
          'Messages from muted users are hidden and never notify you. They are not told. You can mute someone from the menu next to their name.',
        )}
      </p>
      <DataTable
        label={t('Muted people')}
        rows={rows}
        columns={columns}
        keyOf={({ id }) => id}
        words={({ name }) => [name]}
        sortedBy="name"
        empty={t('You have not muted anyone.')}
      />
    </>
  )
}
