import { useState } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { FormDialog } from '#client/commands/form-dialog.tsx'
import { FormChoice, FormText } from '#client/commands/form-fields.tsx'
import { openSurface } from '#client/commands/surfaces.tsx'
import { lockOf } from '#client/settings/setting.tsx'
import { LockNote } from '#client/settings/ui/field-frame.tsx'
import { Button } from '#client/ui/button.tsx'
import { t, tn } from '#client/ui/t.ts'

/** Deactivates the organization, after a confirmation. */
export function Deactivation() {
  const app = useApp()
  const locked = lockOf(app, 'owners')
  return (
    <section class="setting-group">
      <h4>{t('Deactivate organization')}</h4>
      <p class="field-help">
        {t('No one can use it until the server administrator reactivates it.')}
      </p>
      <LockNote locked={locked} />
      <div>
        <Button
          kind="danger"
          disabled={locked !== undefined}
          onClick={() => openSurface((close) => <DeactivationDialog onClose={close} />)}
        >
          {t('Deactivate organization…')}
        </Button>
      </div>
    </section>
  )
}

/** After how many days the data can be deleted. */
const delays = [0, 14, 30, 90, 365]

function DeactivationDialog({ onClose }: { readonly onClose: () => void }) {
  const { store, api } = useApp()
  const realm = store.realm.value
  const [typed, setTyped] = useState('')
  const [delay, setDelay] = useState('')
  const least = realm.server_min_deactivated_realm_deletion_days ?? 0
  const most = realm.server_max_deactivated_realm_deletion_days
  const possible = delays.filter((days) => days >= least && (most === null || days <= most))
  const isSame = typed.trim() === realm.realm_name
  return (
    <FormDialog
      title={t('Deactivate {name}?', { name: realm.realm_name })}
      action={t('Deactivate')}
      isDanger
      isInvalid={!isSame}
      onSave={() =>
        api.post('/realm/deactivate', {
          deletion_delay_days: delay === '' ? null : Number(delay),
        })
      }
      onClose={onClose}
    >
      <ul class="stack plain-points">
        <li>{t('Everyone, including you, is logged out at once, and all bots stop.')}</li>
        <li>{t('No one can read or send messages, and invitations stop working.')}</li>
        <li>{t('You cannot undo this yourself. Only the server administrator can.')}</li>
        <li>{t('Export the data first if you want to keep it.')}</li>
      </ul>
      {(most === null || possible.length > 0) && (
        <FormChoice
          label={t('Delete all data')}
          help={
            delay === ''
              ? undefined
              : t('Deleted data cannot be recovered, not even by the server administrator.')
          }
          value={delay}
          choices={[
            ...(most === null ? [{ value: '', label: t('Never') }] : []),
            ...possible.map((days) => ({ value: String(days), label: delayText(days) })),
          ]}
          onChange={setDelay}
        />
      )}
      <FormText
        label={t('Type the name of the organization: {name}', { name: realm.realm_name })}
        value={typed}
        onInput={setTyped}
        isRequired
      />
    </FormDialog>
  )
}

function delayText(days: number): string {
  return days === 0 ? t('At once') : tn(days, 'After one day', 'After {count} days')
}
