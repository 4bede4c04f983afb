import { RefreshCw } from 'lucide'
import { useState } from 'preact/hooks'
import type { Bot } from '#client/api/wire.ts'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { FormDialog } from '#client/commands/form-dialog.tsx'
import { FormChoice, FormFile, FormText } from '#client/commands/form-fields.tsx'
import { openSurface } from '#client/commands/surfaces.tsx'
import { incomingWebhook, integrationsOf } from '#client/settings/integrations/addresses.ts'
import { LastDeliveries } from '#client/settings/integrations/last-deliveries.tsx'
import { ShortNameField } from '#client/settings/people/short-name-field.tsx'
import { freeShortName, shortNameOf } from '#client/settings/people/short-names.ts'
import { AskingButton } from '#client/settings/ui/asking-button.tsx'
import { cropPicture } from '#client/settings/ui/crop-dialog.tsx'
import { type FormDraft, useFormDraft } from '#client/settings/ui/form-draft.ts'
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

interface BotValues {
  readonly name: string
  /** Null until it is edited: what the name suggests. */
  readonly shortName: string | null
  readonly type: number
  readonly url: string
  /** The number of the payload format. */
  readonly form: number
}

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
  const service = bot?.services.find((each) => 'base_url' in each)
  const draft = useFormDraft<BotValues>(`bot ${bot?.user_id}`, {
    name: bot?.full_name ?? '',
    shortName: null,
    type: bot?.bot_type ?? typesFor(app.store)[0] ?? 1,
    url: service?.base_url ?? '',
    form: service?.interface ?? 1,
  })
  const [picture, setPicture] = useState<File | undefined>()
  return (
    <FormDialog
      title={bot ? bot.full_name : t('New bot')}
      action={bot ? t('Save') : t('Create bot')}
      draft={draft}
      onSave={() => saveBot(app, bot, draft.values, picture)}
      onClose={onClose}
    >
      <FormText
        label={t('Name')}
        parameter="full_name"
        maxLength={100}
        isRequired
        {...draft.text('name')}
      />
      {!bot && <NewBotFields draft={draft} />}
      {draft.values.type === outgoing && <ServiceFields draft={draft} />}
      <FormFile
        label={t('Picture')}
        parameter="file"
        file={picture}
        onChange={async (file) =>
          setPicture(file && (await cropPicture(file, { aspect: 1, longest: 500 })))
        }
      />
      {bot && <BotKey botId={bot.user_id} />}
      {bot?.bot_type === outgoing && <LastDeliveries botId={bot.user_id} />}
    </FormDialog>
  )
}

/** The types of bots that the user may make. */
function typesFor(store: Store): number[] {
  return can(store, 'can_create_bots_group') ? [1, incomingWebhook, outgoing] : [incomingWebhook]
}

async function saveBot(
  app: App,
  bot: Bot | undefined,
  values: BotValues,
  picture: File | undefined,
): Promise<void> {
  const { name, type, url, form } = values
  const shared = {
    full_name: name.trim(),
    file: picture,
    ...(type === outgoing && { payload_url: url.trim(), interface_type: form }),
  }
  if (bot) {
    await app.api.patch(`/bots/${bot.user_id}`, shared)
    app.notify(t('The bot was changed.'))
    return
  }
  const shortName = shortNameIn(values, app.store).trim()
  const asked = { ...shared, short_name: shortName, bot_type: type }
  const made = await app.api.post<{ user_id: number }>('/bots', asked)
  app.notify(t('The bot was created.'))
  if (type === incomingWebhook) app.router.go(integrationsOf({ botId: made.user_id }))
}

interface FieldsProps {
  readonly draft: FormDraft<BotValues>
}

/** What cannot be changed later. */
function NewBotFields({ draft }: FieldsProps) {
  const { store } = useApp()
  return (
    <>
      <FormChoice
        label={t('Kind')}
        choices={typesFor(store).map((value) => ({ value, label: botTypeText(value) }))}
        {...draft.choice('type')}
      />
      <ShortNameField value={shortNameIn(draft.values, store)} onInput={draft.set('shortName')} />
    </>
  )
}

/** Where an outgoing webhook delivers, and how. */
function ServiceFields({ draft }: FieldsProps) {
  return (
    <>
      <FormText
        label={t('Endpoint URL')}
        parameter="payload_url"
        type="url"
        placeholder="https://"
        isRequired
        {...draft.text('url')}
      />
      <FormChoice
        label={t('Payload format')}
        choices={interfaces.map(([value, label]) => ({ value, label: t(label) }))}
        {...draft.choice('form')}
      />
    </>
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

function shortNameIn({ name, shortName }: BotValues, store: Store): string {
  if (shortName !== null) return shortName
  const short = shortNameOf(name)
  return short && freeShortName(store, short)
}
