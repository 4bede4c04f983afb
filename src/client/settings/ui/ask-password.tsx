import { useState } from 'preact/hooks'
import { FormDialog } from '#client/commands/form-dialog.tsx'
import { OwnPassword } from '#client/commands/form-fields.tsx'
import { t } from '#client/ui/t.ts'

/** Confirms the user's identity: by the password or, without one, by a recent log-in. */
export type Confirmation = 'password' | 'login'

interface AskPasswordProps {
  readonly confirmation: Confirmation
  readonly title: string
  readonly action: string
  readonly isOpenAfterwards?: boolean
  readonly isDanger?: boolean
  /** Gets the password; undefined: the account has none. */
  readonly onSave: (password: string | undefined) => Promise<void>
  readonly onClose: () => void
}

/** Asks for the user's password before something that needs it. */
export function AskPassword({ confirmation, onSave, ...dialog }: AskPasswordProps) {
  const [password, setPassword] = useState('')
  const hasPassword = confirmation === 'password'
  return (
    <FormDialog size="small" {...dialog} onSave={() => onSave(hasPassword ? password : undefined)}>
      {hasPassword ? (
        <OwnPassword value={password} onInput={setPassword} />
      ) : (
        <p>{t('Your account has no password, so this works for ten minutes after you log in.')}</p>
      )}
    </FormDialog>
  )
}
