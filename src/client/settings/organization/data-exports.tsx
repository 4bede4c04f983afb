import { Download } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import type { RealmExport } from '#client/api/wire.ts'
import { useApp } from '#client/app-context.ts'
import { type FetchedValue, useFetched } from '#client/commands/use-fetched.ts'
import { useSave } from '#client/commands/use-save.ts'
import { lockOf } from '#client/settings/setting.tsx'
import { AskingButton } from '#client/settings/ui/asking-button.tsx'
import { type Column, DataTable } from '#client/settings/ui/data-table.tsx'
import { FieldFrame, LockNote } from '#client/settings/ui/field-frame.tsx'
import { userName } from '#client/state/names.ts'
import { Button } from '#client/ui/button.tsx'
import { momentText } from '#client/ui/dates.ts'
import { Icon } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'
import { HistoryExports } from './history-exports.tsx'

const publicData = 1
const withPrivateData = 2

/** Exports of the organization's data, to download. */
export function DataExports() {
  const app = useApp()
  const locked = lockOf(app)
  return (
    <>
      <section class="surface setting-group setting-card">
        <h4>{t('New export')}</h4>
        <p class="field-help">
          {t(
            'An export contains all messages, channels, users and files as one archive, to keep or to move elsewhere.',
          )}
        </p>
        {locked === undefined ? (
          <Exports />
        ) : (
          <LockNote locked={t('Only administrators can create and see exports.')} />
        )}
      </section>
      {app.store.realm.value.is_owner && (
        <>
          <HistoryExports />
          <BringingTeam />
        </>
      )}
    </>
  )
}

/** The link to the server's page for imports, which also has links for imported people. */
function BringingTeam() {
  return (
    <section class="surface setting-group setting-card" data-setting="import">
      <h4>{t('Import your team')}</h4>
      <p class="field-help">
        {t(
          'Import from Slack, Zulip, Mattermost, Discord, Rocket.Chat or Campfire before anyone has posted here, and get links for imported people who have not logged in yet.',
        )}
      </p>
      <div>
        <a class="button button-plain" href="/setup/import">
          {t('Go to import')}
        </a>
      </div>
    </section>
  )
}

/** How often to look after an export that another administrator has begun: events go to them only. */
const lookMs = 5000

function Exports() {
  const { api } = useApp()
  const exports = useFetched('exports', async () => {
    const reply = await api.get<{ exports: readonly RealmExport[] }>('/export/realm')
    return reply.exports
  })
  const isPending = exports.value?.some(({ pending }) => pending) ?? false
  useEffect(() => {
    if (!isPending) return
    const timer = setInterval(exports.reload, lookMs)
    return () => clearInterval(timer)
  }, [isPending])
  return (
    <>
      <NewExport isPending={isPending} onBegun={exports.reload} />
      <ExportTable exports={exports} />
    </>
  )
}

interface NewExportProps {
  readonly isPending: boolean
  readonly onBegun: () => void
}

function NewExport({ isPending, onBegun }: NewExportProps) {
  const { api } = useApp()
  const [type, setType] = useState(publicData)
  const consents = useFetched('export-consents', async () => {
    const reply = await api.get<{ export_consents: readonly { consented: boolean }[] }>(
      '/export/realm/consents',
    )
    return reply.export_consents
  })
  const beginning = useSave(undefined, () => api.post('/export/realm', { export_type: type }))
  const people = consents.value ?? []
  const willing = people.filter(({ consented }) => consented).length
  const kinds: readonly (readonly [number, string, string])[] = [
    [publicData, t('Public data'), t('Without private channels and direct messages.')],
    [
      withPrivateData,
      t('Public and private data'),
      t('Includes private data of people who allow it in their settings: {count} of {all}.', {
        count: willing,
        all: people.length,
      }),
    ],
  ]
  return (
    <FieldFrame name="export" label={t('Contents')} as="group" status={beginning.status}>
      {kinds.map(([kind, label, help]) => (
        <label key={kind} class="check-row">
          <input
            type="radio"
            name="export-kind"
            checked={type === kind}
            onChange={() => setType(kind)}
          />
          <span>
            {label}
            <span class="field-help field-help-block">{help}</span>
          </span>
        </label>
      ))}
      <div>
        <Button
          kind="primary"
          isBusy={beginning.status.kind === 'saving'}
          disabled={isPending}
          onClick={async () => {
            if (await beginning.save(undefined)) onBegun()
          }}
        >
          {t('Start export')}
        </Button>
      </div>
      {isPending && (
        <p class="field-help">{t('An export is in progress. Only one can run at a time.')}</p>
      )}
    </FieldFrame>
  )
}

function ExportTable({ exports }: { readonly exports: FetchedValue<readonly RealmExport[]> }) {
  const { store, api } = useApp()
  const { settings } = store
  const columns: readonly Column<RealmExport>[] = [
    {
      id: 'time',
      title: t('Started'),
      compare: (a, b) => a.export_time - b.export_time,
      cell: ({ export_time }) => momentText(export_time, settings.value),
    },
    {
      id: 'kind',
      title: t('Contents'),
      isWide: true,
      cell: ({ export_type }) =>
        export_type === withPrivateData ? t('Public and private data') : t('Public data'),
    },
    {
      id: 'person',
      title: t('By'),
      isWide: true,
      cell: ({ acting_user_id }) => userName(acting_user_id, store),
    },
    { id: 'state', title: t('State'), cell: (row) => <State row={row} /> },
    {
      id: 'remove',
      title: t('Delete'),
      hasHiddenTitle: true,
      isNarrow: true,
      cell: ({ id, export_url }) =>
        export_url !== null && (
          <AskingButton
            label={t('Delete export')}
            title={t('Delete the export?')}
            text={t("The download link stops working. The organization's data is not affected.")}
            action={t('Delete')}
            run={async () => {
              await api.delete(`/export/realm/${id}`)
              exports.reload()
            }}
          />
        ),
    },
  ]
  const { value, problem } = exports
  if (problem !== undefined && value === undefined) {
    return (
      <div class="stack loose failure" role="alert">
        <p>{problem}</p>
        <Button onClick={exports.reload}>{t('Try again')}</Button>
      </div>
    )
  }
  if (value === undefined) return null
  return (
    <DataTable
      label={t('Exports')}
      rows={value}
      columns={columns}
      keyOf={({ id }) => id}
      sortedBy="time"
      isDescending
      empty={t('There are no exports yet.')}
    />
  )
}

function State({ row }: { readonly row: RealmExport }) {
  const { settings } = useApp().store
  const { pending, export_url, failed_timestamp, deleted_timestamp } = row
  if (pending) {
    return (
      <span class="row tight icon-text" role="status">
        <progress aria-label={t('Export in progress')} /> {t('In progress…')}
      </span>
    )
  }
  if (export_url !== null) {
    // At the address of this page, whichever of the server's addresses that is.
    return (
      <a class="row tight icon-text" href={new URL(export_url).pathname} download>
        <Icon node={Download} size={16} /> {t('Download')}
      </a>
    )
  }
  if (failed_timestamp !== null) return <span class="field-problem">{t('Failed')}</span>
  return (
    <span class="field-help">
      {deleted_timestamp === null
        ? t('Deleted')
        : t('Deleted: {time}', { time: momentText(deleted_timestamp, settings.value) })}
    </span>
  )
}
