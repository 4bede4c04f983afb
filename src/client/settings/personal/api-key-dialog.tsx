import { Copy, Download, RefreshCw } from 'lucide'
import { useState } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { openConfirm } from '#client/commands/confirm-dialog.tsx'
import { copy } from '#client/commands/copy.ts'
import { OwnPassword } from '#client/commands/form-fields.tsx'
import { openSurface } from '#client/commands/surfaces.tsx'
import { problemIn, useSave } from '#client/commands/use-save.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { Problem } from '#client/ui/problem.tsx'
import { t } from '#client/ui/t.ts'
import { download, zuliprc } from './download.ts'

/** Opens the dialog that shows the user's API key, once they have given their password. */
export function openApiKeyDialog(): void {
  openSurface((close) => <ApiKeyDialog onClose={close} />)
}

function ApiKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const [key, setKey] = useState<string | undefined>()
  return (
    <Dialog title={t('API key')} size="small" onClose={onClose}>
      {key === undefined ? <AskPassword onKey={setKey} /> : <ShowKey apiKey={key} onKey={setKey} />}
    </Dialog>
  )
}

function AskPassword({ onKey }: { readonly onKey: (key: string) => void }) {
  const { store, api } = useApp()
  const [password, setPassword] = useState('')
  const { delivery_email: username } = store.realm.value
  const asking = useSave(undefined, async () => {
    const { api_key } = await api.post<{ api_key: string }>('/fetch_api_key', {
      username,
      password,
    })
    onKey(api_key)
  })
  const { status } = asking
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        void asking.save(undefined)
      }}
    >
      <p>{t('Anyone who has this key can do everything you can do. Keep it secret.')}</p>
      <OwnPassword value={password} onInput={setPassword} />
      <Problem text={problemIn(status)} />
      <div class="dialog-actions">
        <Button type="submit" kind="primary" isBusy={status.kind === 'saving'}>
          {t('Show the key')}
        </Button>
      </div>
    </form>
  )
}

interface ShowKeyProps {
  readonly apiKey: string
  readonly onKey: (key: string) => void
}

function ShowKey({ apiKey, onKey }: ShowKeyProps) {
  const app = useApp()
  const { email } = app.store.realm.value
  return (
    <div class="form">
      <code class="secret">{apiKey}</code>
      <div class="row cluster">
        <Button icon={Copy} onClick={() => void copy(app, apiKey, t('API key copied.'))}>
          {t('Copy')}
        </Button>
        <Button icon={Download} onClick={() => download('zuliprc', zuliprc(email, apiKey))}>
          {t('Download zuliprc')}
        </Button>
        <Button
          kind="danger"
          icon={RefreshCw}
          onClick={() =>
            openConfirm({
              title: t('Generate a new key?'),
              text: t(
                'The old key stops working at once. Programs and apps that use it need the new one.',
              ),
              action: t('Generate new key'),
              run: async () => {
                const path = '/users/me/api_key/regenerate'
                onKey((await app.api.post<{ api_key: string }>(path)).api_key)
              },
            })
          }
        >
          {t('Generate new key')}
        </Button>
      </div>
    </div>
  )
}
