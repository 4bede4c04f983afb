import { RefreshCw } from 'lucide'
import { useState } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { FormDialog } from '#client/commands/form-dialog.tsx'
import { FormText } from '#client/commands/form-fields.tsx'
import { openSurface } from '#client/commands/surfaces.tsx'
import { useFormDraft } from '#client/settings/ui/form-draft.ts'
import { Secret } from '#client/settings/ui/secret.tsx'
import { Button, IconButton } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { t } from '#client/ui/t.ts'
import { openPersonPage } from './open-person.tsx'

/** Opens the form that makes an account for someone, without mail and without an invitation. */
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
  const draft = useFormDraft('account', { name: '', email: '' })
  const { name, email } = draft.values
  // Secrets are not kept.
  const [password, setPassword] = useState(newPassword)
  const [made, setMade] = useState<Made | undefined>()
  const { password_min_length: least, password_max_length: most } = app.store.realm.value
  const create = async () => {
    const account = { name: name.trim(), email: email.trim(), password }
    const params = { full_name: account.name, email: account.email, password }
    const { user_id } = await app.api.post<{ user_id: number }>('/users', params)
    setMade({ ...account, userId: user_id })
  }
  if (made) return <AccountMade made={made} onClose={onClose} />
  return (
    <FormDialog
      title={t('Create account')}
      action={t('Create account')}
      isOpenAfterwards
      draft={draft}
      onSave={create}
      onClose={onClose}
    >
      <p class="field-help">
        {t('You give them the password yourself, so no email is needed. They can change it later.')}
      </p>
      <FormText
        label={t('Name')}
        parameter="full_name"
        maxLength={100}
        autocomplete="off"
        isRequired
        {...draft.text('name')}
      />
      <FormText
        label={t('Email address for login')}
        parameter="email"
        type="email"
        autocomplete="off"
        isRequired
        {...draft.text('email')}
      />
      <FormText
        label={t('Password')}
        parameter="password"
        minLength={least}
        maxLength={most}
        autocomplete="off"
        isCode
        isRequired
        value={password}
        onInput={setPassword}
        button={
          <IconButton
            label={t('Generate another password')}
            icon={RefreshCw}
            size={16}
            onClick={() => setPassword(newPassword())}
          />
        }
      />
    </FormDialog>
  )
}

function AccountMade({ made, onClose }: { readonly made: Made; readonly onClose: () => void }) {
  const app = useApp()
  const { userId, name, email, password } = made
  const lines = [location.origin, email, password].join('\n')
  return (
    <Dialog
      title={t('Create account')}
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
        <Secret text={lines} copyLabel={t('Copy what they need to log in')} />
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
