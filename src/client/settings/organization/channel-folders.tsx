import { Archive, ArchiveRestore, Pencil } from 'lucide'
import type { ChannelFolder } from '#client/api/wire.ts'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { attempt } from '#client/commands/attempt.ts'
import { openConfirm } from '#client/commands/confirm-dialog.tsx'
import { FormDialog } from '#client/commands/form-dialog.tsx'
import { FormText } from '#client/commands/form-fields.tsx'
import { openSurface } from '#client/commands/surfaces.tsx'
import { lockOf } from '#client/settings/setting.tsx'
import { useFormDraft } from '#client/settings/ui/form-draft.ts'
import { ListHead } from '#client/settings/ui/list-head.tsx'
import { OrderedList } from '#client/settings/ui/ordered-list.tsx'
import { Button, IconButton } from '#client/ui/button.tsx'
import { listText, t, tn } from '#client/ui/t.ts'

/** The folders that group channels in everyone's side bar. */
export function ChannelFolders() {
  const app = useApp()
  const { store, api } = app
  const locked = lockOf(app)
  const folders = [...store.folders.all.values()].sort((a, b) => a.order - b.order)
  const shown = folders.filter(({ is_archived }) => !is_archived)
  const archived = folders.filter(({ is_archived }) => is_archived)
  const isEditable = locked === undefined
  return (
    <>
      <ListHead
        help={t(
          'Folders group channels in the sidebar. Put a channel into a folder in its settings.',
        )}
        locked={locked}
        add={t('Add a folder')}
        onAdd={() => openFolderDialog(undefined)}
      />
      <OrderedList
        label={t('Channel folders')}
        rows={shown}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        empty={t('There are no folders yet.')}
        onOrder={
          isEditable
            ? (ids) =>
                api.patch('/channel_folders', { order: [...ids, ...archived.map(({ id }) => id)] })
            : undefined
        }
        draw={(folder) => <Folder folder={folder} />}
        actions={(folder) => (
          <>
            <IconButton
              label={t('Change {name}', { name: folder.name })}
              icon={Pencil}
              size={16}
              onClick={() => openFolderDialog(folder.id)}
            />
            <IconButton
              label={t('Archive {name}', { name: folder.name })}
              icon={Archive}
              size={16}
              onClick={() => askArchiving(app, folder)}
            />
          </>
        )}
      />
      {archived.length > 0 && (
        <section class="setting-group">
          <h4>{t('Archived folders')}</h4>
          <ul class="plain-rows" aria-label={t('Archived folders')}>
            {archived.map(({ id, name }) => (
              <li key={id} class="row plain-row">
                <span class="grow plain-name">{name}</span>
                {isEditable && (
                  <Button
                    icon={ArchiveRestore}
                    onClick={() =>
                      void attempt(app, api.patch(`/channel_folders/${id}`, { is_archived: false }))
                    }
                  >
                    {t('Restore')}
                    <span class="visually-hidden"> {name}</span>
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function Folder({ folder }: { readonly folder: ChannelFolder }) {
  const { store } = useApp()
  const { id, name, description } = folder
  const channels = [...store.channels.all.values()].filter(
    ({ folderId, isArchived }) => folderId === id && !isArchived,
  )
  return (
    <>
      <strong>{name}</strong>
      {description && <span class="field-help">{description}</span>}
      <span class="field-help">
        {channels.length === 0
          ? t('No channels')
          : `${tn(channels.length, '1 channel', '{count} channels')}: ${namesOf(channels)}`}
      </span>
    </>
  )
}

const mostNamed = 5

function namesOf(channels: readonly { readonly name: string }[]): string {
  const names = channels.slice(0, mostNamed).map(({ name }) => `#${name}`)
  return listText(names, 'narrow') + (channels.length > mostNamed ? '…' : '')
}

function askArchiving({ api }: App, { id, name }: ChannelFolder): void {
  openConfirm({
    title: t('Archive {name}?', { name }),
    text: t('It is no longer offered, and can be restored. Only empty folders can be archived.'),
    action: t('Archive'),
    run: async () => {
      await api.patch(`/channel_folders/${id}`, { is_archived: true })
    },
  })
}

function openFolderDialog(id: number | undefined): void {
  openSurface((close) => <FolderDialog id={id} onClose={close} />)
}

interface FolderDialogProps {
  /** Undefined for a new one. */
  readonly id: number | undefined
  readonly onClose: () => void
}

function FolderDialog({ id, onClose }: FolderDialogProps) {
  const { store, api } = useApp()
  const folder = id === undefined ? undefined : store.folders.get(id)
  const draft = useFormDraft(`folder ${id}`, {
    name: folder?.name ?? '',
    description: folder?.description ?? '',
  })
  const { name, description } = draft.values
  const changes = { name: name.trim(), description }
  return (
    <FormDialog
      title={folder ? t('Change {name}', { name: folder.name }) : t('Add a folder')}
      action={folder ? t('Save') : t('Add')}
      draft={draft}
      onSave={() =>
        id === undefined
          ? api.post('/channel_folders/create', changes)
          : api.patch(`/channel_folders/${id}`, changes)
      }
      onClose={onClose}
    >
      <FormText label={t('Name')} parameter="name" {...draft.text('name')} isRequired />
      <FormText
        label={t('Description')}
        help={t('Markdown.')}
        parameter="description"
        {...draft.text('description')}
        isLong
      />
    </FormDialog>
  )
}
