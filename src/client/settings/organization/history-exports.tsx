import { Download } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import type { HistoryExports as Exports, HistoryExport } from '#client/api/wire.ts'
import { useApp } from '#client/app-context.ts'
import { FormChoice } from '#client/commands/form-fields.tsx'
import { openSurface } from '#client/commands/surfaces.tsx'
import { useFetched } from '#client/commands/use-fetched.ts'
import { AskPassword } from '#client/settings/ui/ask-password.tsx'
import { AskingButton } from '#client/settings/ui/asking-button.tsx'
import { Button } from '#client/ui/button.tsx'
import { momentText } from '#client/ui/dates.ts'
import { Icon } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'

const path = '/export/history'

/** How often to look while one is being made. */
const lookMs = 2000

type Format = HistoryExport['format']
type Scope = HistoryExport['scope']

/** Taking the history elsewhere: into Zulip, or as pages to read without a server. For owners. */
export function HistoryExports() {
  const { api } = useApp()
  const { reload, value } = useFetched(undefined, () => api.get<Exports>(path))
  const isPending = value?.exports.some(({ state }) => state === 'pending') ?? false
  useEffect(() => {
    if (!isPending) return
    const timer = setInterval(reload, lookMs)
    return () => clearInterval(timer)
  }, [isPending])
  if (!value) return null
  return (
    <section class="surface setting-group setting-card" data-setting="history">
      <h4>{t('Take your history with you')}</h4>
      <p class="field-help">
        {t(
          'Move to a Zulip server, or keep an archive of pages that any browser shows without a server.',
        )}
      </p>
      <NewHistoryExport value={value} isPending={isPending} onBegun={reload} />
      {value.exports.length > 0 && (
        <ul class="plain-rows" aria-label={t('Exports for other servers')}>
          {value.exports.map((each) => (
            <li key={each.id} class="row plain-row">
              <HistoryRow row={each} confirmation={value.confirmation} onChange={reload} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const formatName = (format: Format, release: number | null) =>
  format === 'archive'
    ? t('Archive to read in a browser')
    : t('For Zulip {release}', { release: String(release) })

const forms: readonly (readonly [string, Format, number | null])[] = [
  ['archive', 'archive', null],
  ['zulip-11', 'zulip', 11],
  ['zulip-12', 'zulip', 12],
]

const scopeName = (scope: Scope) =>
  ({
    public: t('Public data'),
    full_with_consent: t('Public and private data'),
    everything: t('Everything'),
  })[scope]

const scopeHelp = (scope: Scope) =>
  ({
    public: t('Without private channels and direct messages.'),
    full_with_consent: t(
      'Includes private channels and direct messages of people who allow it in their settings.',
    ),
    everything: t('Includes all private channels and direct messages.'),
  })[scope]

interface NewProps {
  readonly value: Exports
  readonly isPending: boolean
  readonly onBegun: () => void
}

function NewHistoryExport({ value, isPending, onBegun }: NewProps) {
  const { api } = useApp()
  const [form, setForm] = useState('archive')
  const [scope, setScope] = useState<Scope>('public')
  const scopes: readonly Scope[] = [
    'public',
    'full_with_consent',
    ...(value.can_export_everything ? (['everything'] as const) : []),
  ]
  const begin = () =>
    openSurface((close) => (
      <AskPassword
        confirmation={value.confirmation}
        title={t('Export the message history?')}
        action={t('Export')}
        onSave={async (password) => {
          const [format = 'archive', release] = form.split('-')
          await api.post(path, {
            format,
            scope,
            ...(release !== undefined && { zulip_release: Number(release) }),
            ...(password !== undefined && { password }),
          })
          onBegun()
        }}
        onClose={close}
      />
    ))
  return (
    <>
      <FormChoice
        label={t('Format')}
        value={form}
        choices={forms.map(([value, format, release]) => ({
          value,
          label: formatName(format, release),
        }))}
        onChange={setForm}
      />
      <FormChoice
        label={t('Contents')}
        help={scopeHelp(scope)}
        value={scope}
        choices={scopes.map((value) => ({ value, label: scopeName(value) }))}
        onChange={setScope}
      />
      <div>
        <Button kind="primary" disabled={isPending} onClick={begin}>
          {t('Export history')}
        </Button>
      </div>
    </>
  )
}

interface RowProps {
  readonly row: HistoryExport
  readonly confirmation: Exports['confirmation']
  readonly onChange: () => void
}

function HistoryRow({ row, confirmation, onChange }: RowProps) {
  const { api, store } = useApp()
  const { format, id, notes, requested_at, scope, state, zulip_release } = row
  const download = () =>
    openSurface((close) => (
      <AskPassword
        confirmation={confirmation}
        title={t('Download the export?')}
        action={t('Download')}
        onSave={async (password) => {
          const { url } = await api.post<{ url: string }>(`${path}/${id}/download`, {
            ...(password !== undefined && { password }),
          })
          location.assign(url)
        }}
        onClose={close}
      />
    ))
  return (
    <>
      <span class="grow plain-name">
        {formatName(format, zulip_release)}
        <span class="field-help field-help-block">
          {scopeName(scope)} · {momentText(requested_at, store.settings.value)}
        </span>
        {notes.length > 0 && (
          <details class="field-help">
            <summary>{t('What could not be exported')}</summary>
            <ul>
              {notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          </details>
        )}
      </span>
      {state === 'pending' && <Making progress={row.progress} />}
      {state === 'failed' && <span class="field-problem">{t('Failed')}</span>}
      {state === 'deleted' && <span class="field-help">{t('Deleted')}</span>}
      {state === 'ready' && (
        <>
          <Button kind="plain" onClick={download}>
            <Icon node={Download} size={16} /> {t('Download')}
          </Button>
          <AskingButton
            label={t('Delete export')}
            title={t('Delete the export?')}
            text={t("The download link stops working. The organization's data is not affected.")}
            action={t('Delete')}
            run={async () => {
              await api.delete(`${path}/${id}`)
              onChange()
            }}
          />
        </>
      )}
    </>
  )
}

function Making({ progress }: { readonly progress: HistoryExport['progress'] }) {
  const isKnown = progress !== null && progress.total > 0
  return (
    <span class="row tight icon-text" role="status">
      <progress
        aria-label={t('Export in progress')}
        {...(isKnown && { value: progress.done, max: progress.total })}
      />{' '}
      {isKnown
        ? t('{percent}%', { percent: String(Math.floor((100 * progress.done) / progress.total)) })
        : t('In progress…')}
    </span>
  )
}
