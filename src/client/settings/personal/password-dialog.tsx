import { useState } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { FormDialog } from '#client/commands/form-dialog.tsx'
import { FormText } from '#client/commands/form-fields.tsx'
import { openSurface } from '#client/commands/surfaces.tsx'
import { t } from '#client/ui/t.ts'
import { strengthOf } from './passwords.ts'

/** Opens the dialog in which the user changes their password. */
export function openPasswordDialog(): void {
  openSurface((close) => <PasswordDialog onClose={close} />)
}

function PasswordDialog({ onClose }: { readonly onClose: () => void }) {
  const { store, api } = useApp()
  const { password_min_length: least, password_max_length: most, ...self } = store.realm.value
  const [old, setOld] = useState('')
  const [next, setNext] = useState('')
  const strength = strengthOf(next, least, [self.full_name, self.delivery_email])
  const words = {
    short: t('At least {count} characters', { count: least }),
    weak: t('Easy to guess'),
    fair: t('Fair'),
    strong: t('Strong'),
  }
  return (
    <FormDialog
      title={t('Change password')}
      size="small"
      action={t('Change password')}
      isInvalid={strength === 'short' || old === ''}
      // The session ends with the old password: the next call leads to the log-in page.
      onSave={() => api.patch('/settings', { old_password: old, new_password: next })}
      onClose={onClose}
    >
      <FormText
        label={t('Old password')}
        parameter="old_password"
        type="password"
        autocomplete="current-password"
        isRequired
        value={old}
        onInput={setOld}
      />
      <FormText
        label={t('New password')}
        parameter="new_password"
        type="password"
        autocomplete="new-password"
        minLength={least}
        maxLength={most}
        isRequired
        value={next}
        onInput={setNext}
      />
      <div class="row">
        <meter
          aria-label={t('Password strength')}
          min={0}
          max={3}
          low={2}
          optimum={3}
          value={['short', 'weak', 'fair', 'strong'].indexOf(strength)}
        />
        <span class="field-help" role="status">
          {next !== '' && words[strength]}
        </span>
      </div>
      <p class="field-help">{t('You will be logged out everywhere and have to log in again.')}</p>
    </FormDialog>
  )
}
