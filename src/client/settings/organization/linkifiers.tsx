import { Pencil, Plus, Trash2 } from 'lucide'
import { openConfirm } from '#client/actions/confirm-dialog.tsx'
import { lockOf } from '#client/settings/setting.tsx'
import { LockNote } from '#client/settings/ui/field-frame.tsx'
import { OrderedList } from '#client/settings/ui/ordered-list.tsx'
import { Button, IconButton } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'
import { useApp } from '#client/views/app-context.ts'
import { openLinkifierDialog } from './linkifier-dialog.tsx'

/** What turns certain words of messages into links. */
export function Linkifiers() {
  const app = useApp()
  const { store, api } = app
  const locked = lockOf(app)
  return (
    <>
      <p class="field-help">
        {t(
          'Words in messages and topics that match a pattern become links. Where several match, the upper one wins.',
        )}
      </p>
      <LockNote locked={locked} />
      {locked === undefined && (
        <div>
          <Button kind="primary" icon={Plus} onClick={() => openLinkifierDialog(undefined)}>
            {t('Add a linkifier')}
          </Button>
        </div>
      )}
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
            <IconButton
              label={t('Remove {name}', { name: pattern })}
              icon={Trash2}
              size={16}
              onClick={() =>
                openConfirm({
                  title: t('Remove this linkifier?'),
                  text: t('{pattern}: messages that are there keep their links.', { pattern }),
                  action: t('Remove'),
                  run: async () => {
                    await api.delete(`/realm/filters/${id}`)
                  },
                })
              }
            />
          </>
        )}
      />
    </>
  )
}
