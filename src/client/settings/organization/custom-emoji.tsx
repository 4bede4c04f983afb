import { Plus } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { allEmoji, usableEmoji } from '#client/commands/emoji-catalogue.ts'
import { FormDialog } from '#client/commands/form-dialog.tsx'
import { FormFile, FormText } from '#client/commands/form-fields.tsx'
import { openSurface } from '#client/commands/surfaces.tsx'
import { AskingButton } from '#client/settings/ui/asking-button.tsx'
import { type Column, DataTable } from '#client/settings/ui/data-table.tsx'
import { LockNote } from '#client/settings/ui/field-frame.tsx'
import { useFormDraft } from '#client/settings/ui/form-draft.ts'
import { byName, userName } from '#client/state/names.ts'
import { can } from '#client/state/permissions.ts'
import type { Realm } from '#client/state/store.ts'
import { Button } from '#client/ui/button.tsx'
import type { NamedEmoji } from '#client/ui/emoji-search.ts'
import { t } from '#client/ui/t.ts'
import { customName, nameCheck } from './emoji-names.ts'

type CustomEmojiRow = Realm['realm_emoji'][string]

/** The organization's own emoji. */
export function CustomEmoji() {
  const app = useApp()
  const { store, api } = app
  const realm = store.realm.value
  const mayAdd = can(store, 'can_add_custom_emoji_group')
  const author = ({ author_id }: CustomEmojiRow) =>
    author_id === null ? '' : userName(author_id, store)
  const columns: readonly Column<CustomEmojiRow>[] = [
    {
      id: 'picture',
      title: t('Picture'),
      isNarrow: true,
      cell: ({ name, source_url }) => (
        <img class="emoji-picture" src={source_url} alt={name} width={28} height={28} />
      ),
    },
    {
      id: 'name',
      title: t('Name'),
      compare: (a, b) => byName(a.name, b.name),
      cell: ({ name }) => `:${name}:`,
    },
    {
      id: 'author',
      title: t('Added by'),
      isWide: true,
      compare: (a, b) => byName(author(a), author(b)),
      cell: author,
    },
    {
      id: 'remove',
      title: t('Remove'),
      hasHiddenTitle: true,
      isNarrow: true,
      cell: ({ name, author_id }) =>
        (realm.is_admin || author_id === store.selfId) && (
          <AskingButton
            label={t('Remove {name}', { name })}
            title={t('Remove :{name}:?', { name })}
            text={t('It can no longer be used. Existing messages and reactions keep it.')}
            action={t('Remove')}
            run={() => api.delete(`/realm/emoji/${encodeURIComponent(name)}`)}
          />
        ),
    },
  ]
  return (
    <>
      {!mayAdd && (
        <LockNote
          locked={t('You are not allowed to add emoji. See Permissions, Groups and bots.')}
        />
      )}
      <DataTable
        label={t('Custom emoji')}
        rows={usableEmoji(store)}
        columns={columns}
        keyOf={({ id }) => id}
        words={(row) => [row.name, author(row)]}
        sortedBy="name"
        empty={t('There are no custom emoji yet.')}
        tools={
          mayAdd && (
            <Button
              kind="primary"
              icon={Plus}
              onClick={() => openSurface((close) => <EmojiDialog onClose={close} />)}
            >
              {t('Add an emoji')}
            </Button>
          )
        }
      />
    </>
  )
}

function EmojiDialog({ onClose }: { readonly onClose: () => void }) {
  const app = useApp()
  const { store, api } = app
  const draft = useFormDraft('emoji', { typed: '' })
  const { typed } = draft.values
  const [file, setFile] = useState<File | undefined>()
  const [known, setKnown] = useState<readonly NamedEmoji[]>([])
  useEffect(() => {
    // Without them the server still refuses what it must.
    allEmoji(app).then(setKnown, () => {})
  }, [])
  const name = customName(typed)
  const { note, problem } = nameCheck(name, {
    isTaken: usableEmoji(store).some((emoji) => emoji.name === name),
    builtIn: known.find((emoji) => emoji.type !== 'realm_emoji' && emoji.names.includes(name)),
    isAdministrator: store.realm.value.is_admin,
  })
  return (
    <FormDialog
      title={t('Add an emoji')}
      action={t('Add')}
      draft={draft}
      isInvalid={name === '' || file === undefined || problem !== undefined}
      onSave={() => api.post(`/realm/emoji/${encodeURIComponent(name)}`, { file })}
      onClose={onClose}
    >
      <FormText
        label={t('Name')}
        help={note}
        problem={problem}
        parameter="emoji_name"
        {...draft.text('typed')}
        isRequired
      />
      <FormFile
        label={t('Picture')}
        help={t('PNG, JPEG, GIF or WebP; animation is supported. It is shown as a small square.')}
        parameter="file"
        file={file}
        onChange={(chosen) => {
          setFile(chosen)
          if (!chosen || typed !== '') return
          draft.change({ typed: customName(chosen.name.replace(/\.\w+$/, '')) })
        }}
      />
    </FormDialog>
  )
}
