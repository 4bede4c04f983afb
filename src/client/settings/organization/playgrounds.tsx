import { Plus } from 'lucide'
import { useApp } from '#client/app-context.ts'
import { FormDialog } from '#client/commands/form-dialog.tsx'
import { FormText } from '#client/commands/form-fields.tsx'
import { openSurface } from '#client/commands/surfaces.tsx'
import { lockOf } from '#client/settings/setting.tsx'
import { AskingButton } from '#client/settings/ui/asking-button.tsx'
import { type Column, DataTable } from '#client/settings/ui/data-table.tsx'
import { LockNote } from '#client/settings/ui/field-frame.tsx'
import { useFormDraft } from '#client/settings/ui/form-draft.ts'
import { byName } from '#client/state/names.ts'
import type { Realm } from '#client/state/store.ts'
import { Button } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'

type Playground = Realm['realm_playgrounds'][number]

/** Sites that run the code of code blocks. */
export function Playgrounds() {
  const app = useApp()
  const locked = lockOf(app)
  const columns: readonly Column<Playground>[] = [
    {
      id: 'language',
      title: t('Language'),
      compare: (a, b) => byName(a.pygments_language, b.pygments_language),
      cell: ({ pygments_language }) => pygments_language,
    },
    {
      id: 'name',
      title: t('Name'),
      compare: (a, b) => byName(a.name, b.name),
      cell: ({ name }) => name,
    },
    {
      id: 'template',
      title: t('Address'),
      isWide: true,
      cell: ({ url_template }) => <code>{url_template}</code>,
    },
    {
      id: 'remove',
      title: t('Remove'),
      hasHiddenTitle: true,
      isNarrow: true,
      cell: ({ id, name }) =>
        locked === undefined && (
          <AskingButton
            label={t('Remove {name}', { name })}
            title={t('Remove {name}?', { name })}
            text={t('It is no longer offered on code blocks.')}
            action={t('Remove')}
            run={() => app.api.delete(`/realm/playgrounds/${id}`)}
          />
        ),
    },
  ]
  return (
    <>
      <p class="field-help">
        {t('Sites that can run code. Apps offer them on code blocks in their language.')}
      </p>
      <LockNote locked={locked} />
      <DataTable
        label={t('Code playgrounds')}
        rows={app.store.realm.value.realm_playgrounds}
        columns={columns}
        keyOf={({ id }) => id}
        words={(row) => [row.name, row.pygments_language, row.url_template]}
        sortedBy="language"
        empty={t('There are no playgrounds yet.')}
        tools={
          locked === undefined && (
            <Button
              kind="primary"
              icon={Plus}
              onClick={() => openSurface((close) => <PlaygroundDialog onClose={close} />)}
            >
              {t('Add a playground')}
            </Button>
          )
        }
      />
    </>
  )
}

function PlaygroundDialog({ onClose }: { readonly onClose: () => void }) {
  const { api } = useApp()
  const draft = useFormDraft('playground', { name: '', language: '', template: '' })
  const { name, language, template } = draft.values
  return (
    <FormDialog
      title={t('Add a playground')}
      action={t('Add')}
      draft={draft}
      onSave={() =>
        api.post('/realm/playgrounds', {
          name,
          pygments_language: language.trim(),
          url_template: template.trim(),
        })
      }
      onClose={onClose}
    >
      <FormText
        label={t('Language')}
        help={t('As written at the start of code blocks, such as Python.')}
        parameter="pygments_language"
        {...draft.text('language')}
        isRequired
      />
      <FormText
        label={t('Name')}
        help={t('Label of the button, such as the name of the site.')}
        parameter="name"
        {...draft.text('name')}
        isRequired
      />
      <FormText
        label={t('Address')}
        help={t('{code} is replaced by the code.', { code: '{code}' })}
        parameter="url_template"
        placeholder="https://play.example.com/?code={code}"
        {...draft.text('template')}
        isCode
        isRequired
      />
    </FormDialog>
  )
}
