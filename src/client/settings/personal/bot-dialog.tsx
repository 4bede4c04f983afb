import { Copy, RefreshCw } from 'lucide'
import { useState } from 'preact/hooks'
import { openConfirm } from '#client/actions/confirm-dialog.tsx'
import { copy } from '#client/actions/message-actions.ts'
import { openSurface } from '#client/actions/surfaces.tsx'
import type { Bot } from '#client/api/wire.ts'
import { cropPicture } from '#client/settings/ui/crop-dialog.tsx'
import { useSave } from '#client/settings/ui/use-save.ts'
import { can } from '#client/state/permissions.ts'
import { Button, IconButton } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { t } from '#client/ui/t.ts'
import { useApp } from '#client/views/app-context.ts'

const incoming = 2
const outgoing = 3

const botTypes: Readonly<Record<number, string>> = {
  1: 'Generic bot',
  [incoming]: 'Incoming webhook',
  [outgoing]: 'Outgoing webhook',
  4: 'Embedded bot',
}

/** Of outgoing webhooks, by their number in the API. */
const interfaces = [
  [1, 'Generic'],
  [2, 'Compatible with Slack'],
] as const

/** What kind of bot it is. */
export function botTypeText(type: number | null): string {
  return t((type !== null && botTypes[type]) || 'Bot')
}

/** Opens the dialog that makes a bot, or changes one. */
export function openBotDialog(bot: Bot | undefined): void {
  openSurface((close) => <BotDialog bot={bot} onClose={close} />)
}

interface BotDialogProps {
  readonly bot: Bot | undefined
  readonly onClose: () => void
}

function BotDialog({ bot, onClose }: BotDialogProps) {
  const app = useApp()
  const { store, api } = app
  const service = bot?.services.find((each) => 'base_url' in each)
  const types = can(store, 'can_create_bots_group') ? [1, incoming, outgoing] : [incoming]
  const [name, setName] = useState(bot?.full_name ?? '')
  const [shortName, setShortName] = useState('')
  const [type, setType] = useState(bot?.bot_type ?? types[0] ?? 1)
  const [url, setUrl] = useState(service?.base_url ?? '')
  const [form, setForm] = useState<number>(service?.interface ?? 1)
  const [picture, setPicture] = useState<File | undefined>()
  const saving = useSave(undefined, () => {
    const shared = {
      full_name: name.trim(),
      file: picture,
      ...(type === outgoing && { payload_url: url.trim(), interface_type: form }),
    }
    if (bot) return api.patch(`/bots/${bot.user_id}`, shared)
    return api.post('/bots', { ...shared, short_name: shortName.trim(), bot_type: type })
  })
  const { status } = saving

  return (
    <Dialog title={bot ? bot.full_name : t('New bot')} onClose={onClose}>
      <form
        class="form"
        onSubmit={async (event) => {
          event.preventDefault()
          if (!(await saving.save(undefined))) return
          app.notify(bot ? t('The bot was changed.') : t('The bot was created.'))
          onClose()
        }}
      >
        <label class="field">
          <span class="field-label">{t('Name')}</span>
          <input
            class="input"
            required
            maxLength={100}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        {!bot && (
          <>
            <label class="field">
              <span class="field-label">{t('Kind')}</span>
              <select
                class="input select"
                value={String(type)}
                onChange={(event) => setType(Number(event.currentTarget.value))}
              >
                {types.map((each) => (
                  <option key={each} value={String(each)}>
                    {botTypeText(each)}
                  </option>
                ))}
              </select>
            </label>
            <label class="field">
              <span class="field-label">{t('Short name, for its address')}</span>
              <input
                class="input"
                required
                maxLength={100}
                pattern="[A-Za-z0-9_\-.]+"
                value={shortName}
                onInput={(event) => setShortName(event.currentTarget.value)}
              />
              <span class="field-help">
                {t('{name}-bot@{host}', {
                  name: shortName.trim() || '…',
                  host: store.realm.value.realm_bot_domain,
                })}
              </span>
            </label>
          </>
        )}
        {type === outgoing && (
          <>
            <label class="field">
              <span class="field-label">{t('Address that gets its messages')}</span>
              <input
                class="input"
                type="url"
                required
                placeholder="https://"
                value={url}
                onInput={(event) => setUrl(event.currentTarget.value)}
              />
            </label>
            <label class="field">
              <span class="field-label">{t('Form of what it gets')}</span>
              <select
                class="input select"
                value={String(form)}
                onChange={(event) => setForm(Number(event.currentTarget.value))}
              >
                {interfaces.map(([value, label]) => (
                  <option key={value} value={String(value)}>
                    {t(label)}
                  </option>
                ))}
              </select>
            </label>
          </>
        )}
        <label class="field">
          <span class="field-label">{t('Picture')}</span>
          <input
            type="file"
            accept="image/png,image/jpeg,image/gif,image/webp"
            onChange={async ({ currentTarget }) => {
              const [file] = currentTarget.files ?? []
              setPicture(file && (await cropPicture(file, { aspect: 1, longest: 500 })))
            }}
          />
        </label>
        {bot && <BotKey botId={bot.user_id} />}
        {status.kind === 'failed' && (
          <p class="field-problem" role="alert">
            {status.problem}
          </p>
        )}
        <div class="dialog-actions">
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" kind="primary" isBusy={status.kind === 'saving'}>
            {bot ? t('Save') : t('Create the bot')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** The key as it is now: an event brings another one. */
function BotKey({ botId }: { readonly botId: number }) {
  const app = useApp()
  const bot = app.store.realm.value.realm_bots.find(({ user_id }) => user_id === botId)
  if (!bot) return null
  return (
    <div class="field">
      <span class="field-label">{t('API key')}</span>
      <div class="key-row">
        <code class="secret">{bot.api_key}</code>
        <IconButton
          label={t('Copy the API key')}
          icon={Copy}
          size={16}
          onClick={() => void copy(app, bot.api_key, t('API key copied.'))}
        />
        <IconButton
          label={t('Make a new key')}
          icon={RefreshCw}
          size={16}
          onClick={() =>
            openConfirm({
              title: t('Make a new key?'),
              text: t('The old one stops working at once: the program needs the new one.'),
              action: t('Make a new key'),
              run: async () => {
                await app.api.post(`/bots/${botId}/api_key/regenerate`)
              },
            })
          }
        />
      </div>
    </div>
  )
}
