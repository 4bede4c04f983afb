import { useState } from 'preact/hooks'
import { openSurface } from '#client/actions/surfaces.tsx'
import { FormDialog } from '#client/settings/ui/form-dialog.tsx'
import { FormText, OwnPassword } from '#client/settings/ui/form-fields.tsx'
import { Secret } from '#client/settings/ui/secret.tsx'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { t } from '#client/ui/t.ts'
import { useApp } from '#client/views/app-context.ts'

const path = '/users/me/two_factor'

interface DialogProps {
  readonly onClose: () => void
  /** Called once the server has changed something. */
  readonly onChange: () => void
}

const open = (Shown: (props: DialogProps) => preact.JSX.Element, onChange: () => void) =>
  openSurface((close) => <Shown onClose={close} onChange={onChange} />)

/** Sets two-factor authentication up: the password, the app, the recovery codes. */
export const openSetup = (onChange: () => void) => open(Setup, onChange)

/** Replaces the recovery codes, once the password is given, and shows them. */
export const openRecoveryCodes = (onChange: () => void) => open(NewCodes, onChange)

/** Switches two-factor authentication off, once the password is given. */
export const openSwitchOff = (onChange: () => void) => open(SwitchOff, onChange)

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
      {() => (
        <>
          <p>{t('Scan this with an app that makes codes, or type the key into it.')}</p>
          <svg
            class="qr-code"
            role="img"
            aria-label={t('QR code')}
            viewBox={`0 0 ${qr.size} ${qr.size}`}
          >
            <path class="qr-ground" d={`M0 0h${qr.size}v${qr.size}h-${qr.size}z`} />
            <path d={qr.path} />
          </svg>
          <Secret text={secret} copyLabel={t('Copy the key')} />
          <FormText
            label={t('The code that the app shows')}
            isRequired
            isCode
            autocomplete="off"
            value={code}
            onInput={setCode}
          />
        </>
      )}
    </FormDialog>
  )
}

function NewCodes({ onClose, onChange }: DialogProps) {
  const { api } = useApp()
  const [codes, setCodes] = useState<readonly string[] | undefined>()
  if (codes) return <ShowCodes codes={codes} onClose={onClose} />
  return (
    <AskPassword
      title={t('New recovery codes')}
      action={t('Make new codes')}
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

function SwitchOff({ onClose, onChange }: DialogProps) {
  const { api } = useApp()
  return (
    <AskPassword
      title={t('Switch two-factor authentication off?')}
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

interface AskPasswordProps {
  readonly title: string
  readonly action: string
  readonly isOpenAfterwards?: boolean
  readonly isDanger?: boolean
  readonly onSave: (password: string) => Promise<void>
  readonly onClose: () => void
}

function AskPassword({ onSave, ...dialog }: AskPasswordProps) {
  const [password, setPassword] = useState('')
  return (
    <FormDialog size="small" {...dialog} onSave={() => onSave(password)}>
      {() => <OwnPassword value={password} onInput={setPassword} />}
    </FormDialog>
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
          {t('I have kept them')}
        </Button>
      }
    >
      <p>{t('Each lets you in once if you lose your app. Nobody can show them again.')}</p>
      <Secret text={codes.join('\n')} copyLabel={t('Copy the codes')} />
    </Dialog>
  )
}
