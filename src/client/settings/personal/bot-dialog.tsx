import { RefreshCw } from 'lucide'
import { useState } from 'preact/hooks'
import type { Bot } from '#client/api/wire.ts'
import { useApp } from '#client/app-context.ts'
import { FormDialog } from '#client/commands/form-dialog.tsx'
import { FormChoice, FormFile, FormText } from '#client/commands/form-fields.tsx'
import { openSurface } from '#client/commands/surfaces.tsx'
import { incomingWebhook, integrationsOf } from '#client/settings/integrations/addresses.ts'
import { LastDeliveries } from '#client/settings/integrations/last-deliveries.tsx'
import { freeShortName, shortNameOf } from '#client/settings/people/short-names.ts'
import { AskingButton } from '#client/settings/ui/asking-button.tsx'
import { cropPicture } from '#client/settings/ui/crop-dialog.tsx'
import { useFormDraft } from '#client/settings/ui/form-draft.ts'
import { Secret } from '#client/settings/ui/secret.tsx'
import { can } from '#client/state/permissions.ts'
import type { Store } from '#client/state/store.ts'
import { t } from '#client/ui/t.ts'
import { type Text, text, texts } from '#translations/translate.ts'

const outgoing = 3

const botTypes: Readonly<Record<number, Text>> = texts({
  1: 'Generic bot',
  [incomingWebhook]: 'Incoming webhook',
  [outgoing]: 'Outgoing webhook',
  4: 'Embedded bot',
})

/** The payload formats of outgoing webhooks, by their number in the API. */
const interfaces = [
  [1, text('Generic')],
  [2, text('Compatible with Slack')],
] as const

/** The kind of the bot. */
export function botTypeText(type: number | null): string {
  return t((type !== null && botTypes[type]) || text('Bot'))
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
  const types = can(store, 'can_create_bots_group')
    ? [1, incomingWebhook, outgoing]
    : [incomingWebhook]
  const draft = useFormDraft(`bot ${bot?.user_id}`, {
    name: bot?.full_name ?? '',
    /** Null until it is edited: what the name suggests. */
    shortName: null as string | null,
    type: bot?.bot_type ?? types[0] ?? 1,
    url: service?.base_url ?? '',
    form: service?.interface ?? 1,
  })
  const { name, type, url, form } = draft.values
  const shortName = draft.values.shortName ?? suggested(name, store)
  const [picture, setPicture] = useState<File | undefined>()
  const save = async () => {
    const shared = {
      full_name: name.trim(),
      file: picture,
      ...(type === outgoing && { payload_url: url.trim(), interface_type: form }),
    }
    if (bot) {
      await api.patch(`/bots/${bot.user_id}`, shared)
      app.notify(t('The bot was changed.'))
      return
    }
    const asked = { ...shared, short_name: shortName.trim(), bot_type: type }
    const made = await api.post<{ user_id: number }>('/bots', asked)
    app.notify(t('The bot was created.'))
    if (type === incomingWebhook) app.router.go(integrationsOf({ botId: made.user_id }))
  }

  return (
    <FormDialog
      title={bot ? bot.full_name : t('New bot')}
      action={bot ? t('Save') : t('Create bot')}
      draft={draft}
      parameters={['full_name', 'short_name', 'payload_url', 'file']}
      onSave={save}
      onClose={onClose}
    >
      {(problems) => (
        <>
          <FormText
            label={t('Name')}
            problem={problems.full_name}
            maxLength={100}
            isRequired
            {...draft.text('name')}
          />
          {!bot && (
            <>
              <FormChoice
                label={t('Kind')}
                value={type}
                choices={types.map((value) => ({ value, label: botTypeText(value) }))}
                onChange={draft.set('type')}
              />
              <FormText
                label={t('Short name, used in its email address')}
                problem={problems.short_name}
                help={t('{name}-bot@{host}', {
                  name: shortName.trim() || '…',
                  host: store.realm.value.realm_bot_domain,
                })}
                maxLength={100}
                pattern="[A-Za-z0-9_\-.]+"
                isRequired
                value={shortName}
                onInput={draft.set('shortName')}
              />
            </>
          )}
          {type === outgoing && (
            <>
              <FormText
                label={t('Endpoint URL')}
                problem={problems.payload_url}
                type="url"
                placeholder="https://"
                isRequired
                {...draft.text('url')}
              />
              <FormChoice
                label={t('Payload format')}
                value={form}
                choices={interfaces.map(([value, label]) => ({ value, label: t(label) }))}
                onChange={draft.set('form')}
              />
            </>
          )}
          <FormFile
            label={t('Picture')}
            problem={problems.file}
            file={picture}
            onChange={async (file) =>
              setPicture(file && (await cropPicture(file, { aspect: 1, longest: 500 })))
            }
          />
          {bot && <BotKey botId={bot.user_id} />}
          {bot?.bot_type === outgoing && <LastDeliveries botId={bot.user_id} />}
        </>
      )}
    </FormDialog>
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
      <Secret text={bot.api_key} copyLabel={t('Copy the API key')}>
        <AskingButton
          label={t('Generate new key')}
          icon={RefreshCw}
          title={t('Generate a new key?')}
          text={t('The old key stops working at once. The program needs the new one.')}
          action={t('Generate new key')}
          run={() => app.api.post(`/bots/${botId}/api_key/regenerate`)}
        />
      </Secret>
    </div>
  )
}

function suggested(name: string, store: Store): string {
  const short = shortNameOf(name)
  return short && freeShortName(store, short)
}
