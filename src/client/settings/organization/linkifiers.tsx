import { Pencil } from 'lucide'
import { useApp } from '#client/app-context.ts'
import { lockOf } from '#client/settings/setting.tsx'
import { AskingButton } from '#client/settings/ui/asking-button.tsx'
import { ListHead } from '#client/settings/ui/list-head.tsx'
import { OrderedList } from '#client/settings/ui/ordered-list.tsx'
import { IconButton } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'
import { openLinkifierDialog } from './linkifier-dialog.tsx'

/** Linkifiers, which turn certain words of messages into links. */
export function Linkifiers() {
  const app = useApp()
  const { store, api } = app
  const locked = lockOf(app)
  return (
    <>
      <ListHead
        help={t(
          'Text in messages and topics that matches a pattern becomes a link. If several match, the first one applies.',
        )}
        locked={locked}
        add={t('Add linkifier')}
        onAdd={() => openLinkifierDialog(undefined)}
      />
      <OrderedList
        label={t('Linkifiers')}
        rows={store.realm.value.realm_linkifiers}
        keyOf={({ id }) => id}
        nameOf={({ pattern }) => pattern}
        empty={t('There are no linkifiers yet.')}
        onOrder={
          locked === undefined
            ? (ids) => api.patch('/realm/linkifiers', { ordered_linkifier_ids: ids })
            : undefined
        }
        draw={({ pattern, url_template, example_input }) => (
          <>
            <code>{pattern}</code>
            <code class="field-help">{url_template}</code>
            {example_input && (
              <span class="field-help">{t('Example: {example}', { example: example_input })}</span>
            )}
          </>
        )}
        actions={({ id, pattern }) => (
          <>
            <IconButton
              label={t('Change {name}', { name: pattern })}
              icon={Pencil}
              size={16}
              onClick={() => openLinkifierDialog(id)}
            />
            <AskingButton
              label={t('Remove {name}', { name: pattern })}
              title={t('Remove this linkifier?')}
              text={t('{pattern}: existing messages keep their links.', { pattern })}
              action={t('Remove')}
              run={() => api.delete(`/realm/filters/${id}`)}
            />
          </>
        )}
      />
    </>
  )
}
