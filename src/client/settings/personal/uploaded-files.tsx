import { Trash2 } from 'lucide'
import type { Attachment } from '#client/api/wire.ts'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { attempt } from '#client/commands/attempt.ts'
import { openConfirm } from '#client/commands/confirm-dialog.tsx'
import { useFetched } from '#client/commands/use-fetched.ts'
import { type Column, DataTable } from '#client/settings/ui/data-table.tsx'
import { byName } from '#client/state/names.ts'
import { Button, IconButton } from '#client/ui/button.tsx'
import { dayText } from '#client/ui/dates.ts'
import { sizeText } from '#client/ui/sizes.ts'
import { t, tn } from '#client/ui/t.ts'

interface Files {
  readonly attachments: readonly Attachment[]
  readonly upload_space_used: number
}

/** The user's uploads, with the messages that link to them. */
export function UploadedFiles() {
  const app = useApp()
  const files = useFetched('attachments', () => app.api.get<Files>('/attachments'))
  if (files.problem !== undefined) {
    return (
      <div class="stack loose failure" role="alert">
        <p>{files.problem}</p>
        <Button onClick={files.reload}>{t('Try again')}</Button>
      </div>
    )
  }
  if (!files.value) return null
  const { attachments, upload_space_used: used } = files.value
  const own = attachments.reduce((sum, { size }) => sum + size, 0)
  const quota = app.store.realm.value.realm_upload_quota_mib
  return (
    <>
      <div class="setting-group" data-setting="quota">
        <p>
          {t('Your files use {size}.', { size: sizeText(own) })}{' '}
          {quota === null
            ? t("Everyone's files use {size}.", { size: sizeText(used) })
            : t("Everyone's files use {size} of {quota}.", {
                size: sizeText(used),
                quota: sizeText(quota * 2 ** 20),
              })}
        </p>
        {quota !== null && (
          <meter
            aria-label={t('Storage used by everyone')}
            min={0}
            max={quota * 2 ** 20}
            value={used}
          />
        )}
      </div>
      <DataTable
        label={t('Files')}
        rows={attachments}
        columns={columnsFor(app)}
        keyOf={({ id }) => id}
        words={({ name }) => [name]}
        sortedBy="date"
        isDescending
        empty={t('You have uploaded no files.')}
      />
    </>
  )
}

function columnsFor(app: App): readonly Column<Attachment>[] {
  return [
    {
      id: 'name',
      title: t('Name'),
      compare: (a, b) => byName(a.name, b.name),
      cell: ({ name, path_id }) => (
        <a href={`/user_uploads/${path_id}`} target="_blank" rel="noopener noreferrer">
          {name}
        </a>
      ),
    },
    {
      id: 'size',
      title: t('Size'),
      isNarrow: true,
      compare: (a, b) => a.size - b.size,
      cell: ({ size }) => sizeText(size),
    },
    {
      id: 'date',
      title: t('Uploaded'),
      isWide: true,
      compare: (a, b) => a.create_time - b.create_time,
      cell: ({ create_time }) => dayText(create_time / 1000),
    },
    {
      id: 'messages',
      title: t('Messages'),
      isWide: true,
      compare: (a, b) => a.messages.length - b.messages.length,
      cell: ({ messages }) => <MessageLinks app={app} ids={messages.map(({ id }) => id)} />,
    },
    {
      id: 'delete',
      title: t('Delete'),
      hasHiddenTitle: true,
      isNarrow: true,
      cell: (file) => (
        <IconButton
          label={t('Delete {name}', { name: file.name })}
          icon={Trash2}
          size={16}
          onClick={() => askToDelete(app, file)}
        />
      ),
    },
  ]
}

const mostLinks = 4

function MessageLinks({ app, ids }: { readonly app: App; readonly ids: readonly number[] }) {
  if (ids.length === 0) return <span class="field-help">{t('None')}</span>
  return (
    <>
      {ids.slice(0, mostLinks).map((id) => (
        <span key={id}>
          <a href={app.router.href({ kind: 'messages', narrow: { kind: 'all' }, near: id })}>
            #{id}
          </a>{' '}
        </span>
      ))}
      {ids.length > mostLinks && t('and {count} more', { count: ids.length - mostLinks })}
    </>
  )
}

function askToDelete(app: App, { id, name, messages }: Attachment): void {
  const uses = tn(
    messages.length,
    'One message links to it; the link will stop working.',
    '{count} messages link to it; the links will stop working.',
  )
  openConfirm({
    title: t('Delete the file?'),
    text: t('“{name}” cannot be restored. {uses}', { name, uses }),
    action: t('Delete file'),
    run: async () => {
      const done = await attempt(app, app.api.delete(`/attachments/${id}`))
      if (done) app.notify(t('The file was deleted.'))
    },
  })
}
