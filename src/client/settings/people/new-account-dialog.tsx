import { Copy, RefreshCw } from 'lucide'
import { useState } from 'preact/hooks'
import { copy } from '#client/actions/message-actions.ts'
import { openSurface } from '#client/actions/surfaces.tsx'
import { useSave } from '#client/settings/ui/use-save.ts'
import { Button, IconButton } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { t } from '#client/ui/t.ts'
import { useApp } from '#client/views/app-context.ts'
import { openPersonPage } from './open-person.tsx'

/** Opens the form that makes an account for somebody, without mail and without an invitation. */
export function openNewAccount(): void {
  openSurface((close) => <NewAccountDialog onClose={close} />)
}

interface NewAccountDialogProps {
  readonly onClose: () => void
}

interface Made {
  readonly userId: number
  readonly name: string
  readonly email: string
  readonly password: string
}

function NewAccountDialog({ onClose }: NewAccountDialogProps) {
  const app = useApp()
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState(newPassword)
  const [made, setMade] = useState<Made | undefined>()
  const { password_min_length: least, password_max_length: most } = app.store.realm.value
  const saving = useSave(undefined, async () => {
    const account = { name: name.trim(), email: email.trim(), password }
    const params = { full_name: account.name, email: account.email, password }
    const { user_id } = await app.api.post<{ user_id: number }>('/users', params)
    setMade({ ...account, userId: user_id })
  })
  if (made) return <AccountMade made={made} onClose={onClose} />
  return (
    <Dialog title={t('Create an account')} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void saving.save(undefined)
        }}
      >
        <p class="field-help">
          {t('You give them the password yourself; no mail is needed. They can change it later.')}
        </p>
        <label class="field">
          <span class="field-label">{t('Name')}</span>
          <input
            class="input"
            required
            maxLength={100}
            autocomplete="off"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <label class="field">
          <span class="field-label">{t('Email address, with which they log in')}</span>
          <input
            class="input"
            type="email"
            required
            autocomplete="off"
            value={email}
            onInput={(event) => setEmail(event.currentTarget.value)}
          />
        </label>
        <div class="field">
          <label class="field-label" for="new-account-password">
            {t('Password')}
          </label>
          <div class="key-row">
            <input
              class="input"
              id="new-account-password"
              required
              minLength={least}
              maxLength={most}
              autocomplete="off"
              spellcheck={false}
              value={password}
              onInput={(event) => setPassword(event.currentTarget.value)}
            />
            <IconButton
              label={t('Make another password')}
              icon={RefreshCw}
              size={16}
              onClick={() => setPassword(newPassword())}
            />
          </div>
        </div>
        {saving.status.kind === 'failed' && (
          <p class="field-problem" role="alert">
            {saving.status.problem}
          </p>
        )}
        <div class="dialog-actions">
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" kind="primary" isBusy={saving.status.kind === 'saving'}>
            {t('Create the account')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function AccountMade({ made, onClose }: { readonly made: Made; readonly onClose: () => void }) {
  const app = useApp()
  const { userId, name, email, password } = made
  const lines = [location.origin, email, password].join('\n')
  return (
    <Dialog
      title={t('Create an account')}
      onClose={onClose}
      footer={
        <>
          <Button
            onClick={() => {
              onClose()
              openPersonPage(app, userId, 'manage')
            }}
          >
            {t('Role, channels and groups')}
          </Button>
          <Button kind="primary" onClick={onClose}>
            {t('Done')}
          </Button>
        </>
      }
    >
      <div class="form">
        <p role="status">
          {t('{name} can log in with this. The password is not shown again.', { name })}
        </p>
        <div class="key-row">
          <pre class="secret">{lines}</pre>
          <IconButton
            label={t('Copy what they need to log in')}
            icon={Copy}
            size={16}
            onClick={() => void copy(app, lines, t('Copied.'))}
          />
        </div>
      </div>
    </Dialog>
  )
}

/** Characters that nobody mistakes for each other: 32, so that each byte is as likely. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz123456789'

/** A password that nobody guesses: 80 bits in groups of four. */
function newPassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const letters = [...bytes].map((byte) => alphabet[byte % alphabet.length]).join('')
  return letters.match(/.{4}/g)?.join('-') ?? letters
}
