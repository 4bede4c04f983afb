import { useState } from 'preact/hooks'
import { openSurface } from '#client/actions/surfaces.tsx'
import { useSave } from '#client/settings/ui/use-save.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { t } from '#client/ui/t.ts'
import { useApp } from '#client/views/app-context.ts'
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
  const saving = useSave(undefined, () =>
    api.patch('/settings', { old_password: old, new_password: next }),
  )
  const strength = strengthOf(next, least, [self.full_name, self.delivery_email])
  const words = {
    short: t('At least {count} characters', { count: least }),
    weak: t('Easy to guess'),
    fair: t('Fair'),
    strong: t('Strong'),
  }
  const { status } = saving
  return (
    <Dialog title={t('Change the password')} size="small" onClose={onClose}>
      <form
        class="form"
        onSubmit={async (event) => {
          event.preventDefault()
          // The session ends with the old password: the next call leads to the log-in page.
          if (await saving.save(undefined)) onClose()
        }}
      >
        <label class="field">
          <span class="field-label">{t('Old password')}</span>
          <input
            class="input"
            type="password"
            autocomplete="current-password"
            required
            value={old}
            onInput={(event) => setOld(event.currentTarget.value)}
          />
        </label>
        <label class="field">
          <span class="field-label">{t('New password')}</span>
          <input
            class="input"
            type="password"
            autocomplete="new-password"
            required
            minLength={least}
            maxLength={most}
            value={next}
            onInput={(event) => setNext(event.currentTarget.value)}
          />
        </label>
        <div class="strength">
          <meter
            aria-label={t('Strength of the password')}
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
        <p class="field-help">{t('You are logged out everywhere, and log in again with it.')}</p>
        {status.kind === 'failed' && (
          <p class="field-problem" role="alert">
            {status.problem}
          </p>
        )}
        <div class="dialog-actions">
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            type="submit"
            kind="primary"
            isBusy={status.kind === 'saving'}
            disabled={strength === 'short' || old === ''}
          >
            {t('Change the password')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
