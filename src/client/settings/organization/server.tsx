import { CircleAlert, CircleCheck, Download, Mail } from 'lucide'
import type { Api } from '#client/api/api.ts'
import type { ServerStatus } from '#client/api/wire.ts'
import { useApp } from '#client/app-context.ts'
import { openSurface } from '#client/commands/surfaces.tsx'
import { type FetchedValue, useFetched } from '#client/commands/use-fetched.ts'
import { useSave } from '#client/commands/use-save.ts'
import { Facts } from '#client/settings/directory/facts.tsx'
import { AskPassword } from '#client/settings/ui/ask-password.tsx'
import { AskingButton } from '#client/settings/ui/asking-button.tsx'
import { FieldFrame } from '#client/settings/ui/field-frame.tsx'
import { Button } from '#client/ui/button.tsx'
import { momentText } from '#client/ui/dates.ts'
import { Icon } from '#client/ui/icon.tsx'
import { sizeText } from '#client/ui/sizes.ts'
import { t, tn } from '#client/ui/t.ts'
import { type Text, texts } from '#translations/translate.ts'

/** Operating the server, where its operator lets owners do that. */
export function ServerPage() {
  const { store } = useApp()
  if (store.realm.value.server_owners_operate) return <Operating />
  return (
    <p class="field-help">
      {t(
        'The server administrator can let owners manage the server and make backups here by setting {variable}.',
        { variable: 'PARLEY_OWNERS_OPERATE=on' },
      )}
    </p>
  )
}

function Operating() {
  const { api } = useApp()
  const status = useFetched('server', () => api.get<ServerStatus>('/server/status'))
  const { value, problem, reload } = status
  if (value === undefined) {
    return problem === undefined ? null : (
      <div class="stack loose failure" role="alert">
        <p>{problem}</p>
        <Button onClick={reload}>{t('Try again')}</Button>
      </div>
    )
  }
  return (
    <>
      <Health status={value} />
      <Storage status={value} />
      <Backups status={value} fetched={status} />
      <MailTest status={value} />
    </>
  )
}

interface PartProps {
  readonly status: ServerStatus
}

/** English, for `t()`. */
const checkNames: Readonly<Record<string, Text>> = texts({
  disk: 'Disk',
  commits: 'Storing changes',
  jobs: 'Background work',
  backups: 'Regular backups',
})

function Health({ status }: PartProps) {
  const { settings } = useApp().store
  return (
    <section class="setting-group">
      <h4>{t('Health and version')}</h4>
      <ul class="stack health" aria-label={t('Health')}>
        {status.health.map(({ name, problem }) => (
          <li key={name} class={problem === null ? 'health-good' : 'health-bad'}>
            <Icon node={problem === null ? CircleCheck : CircleAlert} size={16} />
            <span>
              {checkNames[name] ? t(checkNames[name]) : name}
              {problem !== null && <span class="field-problem field-help-block">{problem}</span>}
            </span>
          </li>
        ))}
      </ul>
      <p class="field-help">
        {t('Parley {version}, started {time}.', {
          version: status.version,
          time: momentText(status.started_at, settings.value),
        })}{' '}
        <Newer status={status} />
      </p>
    </section>
  )
}

function Newer({ status: { newer_release: newer, asks_for_releases: asks } }: PartProps) {
  if (!asks) return <>{t('The server does not check for newer versions.')}</>
  if (newer === null) return <>{t('No newer version is known.')}</>
  return (
    <strong>
      {t('Version {version} is available.', { version: newer.version })}{' '}
      {newer.url !== null && (
        <a href={newer.url} target="_blank" rel="noopener noreferrer">
          {t('What is new')}
        </a>
      )}
    </strong>
  )
}

/** English, for `t()`. */
const uses: Readonly<Record<ServerStatus['storage'][number]['use'], Text>> = texts({
  database: 'Messages and everything else in the database',
  uploads: 'Uploaded files',
  pictures: 'Thumbnails, avatars and other generated images',
  exports: 'Data exports',
  backups: 'Backups made here',
})

function Storage({ status }: PartProps) {
  const { storage, free_bytes: free } = status
  const most = Math.max(1, ...storage.map(({ bytes }) => bytes))
  return (
    <section class="setting-group">
      <h4>{t('Storage')}</h4>
      <ul class="stack storage" aria-label={t('Storage by use')}>
        {storage.map(({ use, bytes }) => (
          <li key={use}>
            <span>{t(uses[use])}</span>
            <meter aria-hidden="true" min={0} max={most} value={bytes} />
            <span>{sizeText(bytes)}</span>
          </li>
        ))}
      </ul>
      {free !== null && (
        <p class="field-help">{t('Free disk space: {size}', { size: sizeText(free) })}</p>
      )}
    </section>
  )
}

function Backups({
  status,
  fetched,
}: PartProps & { readonly fetched: FetchedValue<ServerStatus> }) {
  const { api, store } = useApp()
  const { backups, most_backups, backup_running, backup_problem, can_back_up } = status
  const making = useSave(undefined, async () => {
    await api.post('/server/backups')
    fetched.reload()
  })
  const isFull = backups.length >= most_backups
  const time = (at: number) => momentText(at, store.settings.value)
  return (
    <section class="setting-group">
      <h4>{t('Backups')}</h4>
      <RegularBackups status={status} />
      <FieldFrame name="backup" label={t('Made here')} as="group" status={making.status}>
        <p class="field-help">
          {t(
            'A backup contains everything, including private messages, keys and hashed passwords. Store it somewhere safe.',
          )}
        </p>
        <ul class="plain-rows" aria-label={t('Backups')}>
          {backups.map(({ name, bytes, made_at }) => (
            <li key={name} class="row plain-row">
              <span class="grow plain-name">
                {time(made_at)}
                <span class="field-help field-help-block">{sizeText(bytes)}</span>
              </span>
              <Button
                icon={Download}
                kind="plain"
                onClick={() => askToDownload(api, status.confirmation, name)}
              >
                {t('Download')}
                <span class="visually-hidden"> {time(made_at)}</span>
              </Button>
              <AskingButton
                label={t('Delete the backup of {time}', { time: time(made_at) })}
                title={t('Delete the backup?')}
                text={t('It cannot be restored. Downloaded copies are not affected.')}
                action={t('Delete')}
                run={() => api.delete(`/server/backups/${name}`)}
              />
            </li>
          ))}
        </ul>
        {backup_problem !== null && (
          <p class="field-problem" role="status">
            {t('The last backup: {problem}', { problem: backup_problem })}
          </p>
        )}
        <div class="row cluster">
          <Button
            kind="primary"
            isBusy={making.status.kind === 'saving'}
            disabled={!can_back_up || backup_running || isFull}
            onClick={() => void making.save(undefined)}
          >
            {t('Make a backup')}
          </Button>
          {backup_running && (
            <span class="row tight icon-text" role="status">
              <progress aria-label={t('Backup in progress')} /> {t('Being made…')}
            </span>
          )}
        </div>
        {!can_back_up && <p class="field-help">{t('This server keeps its data in memory.')}</p>}
        {isFull && (
          <p class="field-help">
            {t('At most {count} are kept. Delete one first.', { count: most_backups })}
          </p>
        )}
      </FieldFrame>
    </section>
  )
}

function askToDownload(api: Api, confirmation: ServerStatus['confirmation'], name: string): void {
  openSurface((close) => (
    <AskPassword
      confirmation={confirmation}
      title={t('Download the backup?')}
      action={t('Download')}
      onSave={async (password) => {
        const path = `/server/backups/${name}/download` as const
        const { url } = await api.post<{ url: string }>(path, { password })
        location.assign(url)
      }}
      onClose={close}
    />
  ))
}

function RegularBackups({ status }: PartProps) {
  const { settings } = useApp().store
  const { regular_backups: regular } = status
  if (regular === null) {
    return (
      <p class="field-help">
        {t('The server makes no regular backups. Set {variable} to turn them on.', {
          variable: 'PARLEY_BACKUP_TO',
        })}
      </p>
    )
  }
  const { hours, keep, succeeded_at, bytes, problem } = regular
  return (
    <>
      <Facts
        facts={[
          [
            t('Regular backups'),
            t('{often}, the last {count} are kept', {
              often: tn(hours, 'Every hour', 'Every {count} hours'),
              count: keep,
            }),
          ],
          [
            t('The last one'),
            succeeded_at === null
              ? t('None yet')
              : [momentText(succeeded_at, settings.value), bytes !== null && sizeText(bytes)]
                  .filter(Boolean)
                  .join(' · '),
          ],
        ]}
      />
      {problem !== null && <p class="field-problem">{problem}</p>}
    </>
  )
}

function MailTest({ status }: PartProps) {
  const app = useApp()
  const testing = useSave(undefined, async () => {
    const { address } = await app.api.post<{ address: string }>('/server/test_mail')
    app.notify(t('The mail server accepted an email to {address}.', { address }))
  })
  return (
    <section class="setting-group">
      <h4>{t('Email')}</h4>
      <FieldFrame name="test_mail" label={t('Test')} as="group" status={testing.status}>
        <div>
          <Button
            icon={Mail}
            isBusy={testing.status.kind === 'saving'}
            disabled={!status.mail_configured}
            onClick={() => void testing.save(undefined)}
          >
            {t('Send me a test email')}
          </Button>
        </div>
        {!status.mail_configured && (
          <p class="field-help">
            {t('This server does not send email. Set {variable} to configure it.', {
              variable: 'PARLEY_SMTP_URL',
            })}
          </p>
        )}
      </FieldFrame>
    </section>
  )
}
