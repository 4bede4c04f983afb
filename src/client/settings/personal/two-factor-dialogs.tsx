import { useState } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { FormDialog } from '#client/commands/form-dialog.tsx'
import { FormText } from '#client/commands/form-fields.tsx'
import { openSurface } from '#client/commands/surfaces.tsx'
import { AskPassword, type Confirmation } from '#client/settings/ui/ask-password.tsx'
import { QrCode } from '#client/settings/ui/qr-code.tsx'
import { Secret } from '#client/settings/ui/secret.tsx'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { t } from '#client/ui/t.ts'

const path = '/users/me/two_factor'

interface DialogProps {
  /** The proof that the account has to give. */
  readonly confirmation: Confirmation
  readonly onClose: () => void
  /** Called once the server has changed something. */
  readonly onChange: () => void
}

type Open = (confirmation: Confirmation, onChange: () => void) => void

const opening =
  (Shown: (props: DialogProps) => preact.JSX.Element): Open =>
  (confirmation, onChange) =>
    openSurface((close) => (
      <Shown confirmation={confirmation} onClose={close} onChange={onChange} />
    ))

/** Sets up two-factor authentication: the password, the app, the recovery codes. */
export const openSetup = opening(Setup)

/** Replaces the recovery codes, once the password is given, and shows them. */
export const openRecoveryCodes = opening(NewCodes)

/** Switches two-factor authentication off, once the password is given. */
export const openSwitchOff = opening(SwitchOff)

interface Begun {
  readonly secret: string
  readonly qr: { readonly size: number; readonly path: string }
}

interface RecoveryCodes {
  readonly recovery_codes: readonly string[]
}

function Setup({ onClose, onChange }: DialogProps) {
  const { api } = useApp()
  const [begun, setBegun] = useState<Begun | undefined>()
  const [codes, setCodes] = useState<readonly string[] | undefined>()
  if (codes) return <ShowCodes codes={codes} onClose={onClose} />
  if (begun) {
    const onSave = async (code: string) => {
      const reply = await api.post<RecoveryCodes>(`${path}/confirm`, { code })
      setCodes(reply.recovery_codes)
      onChange()
    }
    return <ScanAndConfirm begun={begun} onSave={onSave} onClose={onClose} />
  }
  return (
    <AskPassword
      confirmation="password"
      title={t('Set up two-factor authentication')}
      action={t('Continue')}
      isOpenAfterwards
      onSave={async (password) => setBegun(await api.post<Begun>(path, { password }))}
      onClose={onClose}
    />
  )
}

interface ScanProps {
  readonly begun: Begun
  readonly onSave: (code: string) => Promise<void>
  readonly onClose: () => void
}

function ScanAndConfirm({ begun: { secret, qr }, onSave, onClose }: ScanProps) {
  const [code, setCode] = useState('')
  return (
    <FormDialog
      key="confirm"
      title={t('Set up two-factor authentication')}
      size="small"
      action={t('Switch on')}
      isOpenAfterwards
      onSave={() => onSave(code)}
      onClose={onClose}
    >
      <p>{t('Scan this with an authenticator app, or type the key into it.')}</p>
      <QrCode {...qr} />
      <Secret text={secret} copyLabel={t('Copy the key')} />
      <FormText
        label={t('Code from the app')}
        parameter="code"
        isRequired
        isCode
        autocomplete="off"
        value={code}
        onInput={setCode}
      />
    </FormDialog>
  )
}

function NewCodes({ confirmation, onClose, onChange }: DialogProps) {
  const { api } = useApp()
  const [codes, setCodes] = useState<readonly string[] | undefined>()
  if (codes) return <ShowCodes codes={codes} onClose={onClose} />
  return (
    <AskPassword
      confirmation={confirmation}
      title={t('New recovery codes')}
      action={t('Generate new codes')}
      isOpenAfterwards
      onSave={async (password) => {
        const reply = await api.post<RecoveryCodes>(`${path}/recovery_codes`, { password })
        setCodes(reply.recovery_codes)
        onChange()
      }}
      onClose={onClose}
    />
  )
}

function SwitchOff({ confirmation, onClose, onChange }: DialogProps) {
  const { api } = useApp()
  return (
    <AskPassword
      confirmation={confirmation}
      title={t('Turn off two-factor authentication?')}
      action={t('Switch off')}
      isDanger
      onSave={async (password) => {
        await api.delete(path, { password })
        onChange()
      }}
      onClose={onClose}
    />
  )
}

interface ShowCodesProps {
  readonly codes: readonly string[]
  readonly onClose: () => void
}

function ShowCodes({ codes, onClose }: ShowCodesProps) {
  return (
    <Dialog
      title={t('Keep these recovery codes')}
      size="small"
      onClose={onClose}
      footer={
        <Button kind="primary" onClick={onClose}>
          {t('I have saved them')}
        </Button>
      }
    >
      <p>{t('Each code logs you in once if you lose your app. They are not shown again.')}</p>
      <Secret text={codes.join('\n')} copyLabel={t('Copy codes')} />
    </Dialog>
  )
}
