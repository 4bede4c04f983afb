import type { Integration } from '#client/api/wire.ts'
import { useApp } from '#client/app-context.ts'
import { FormText } from '#client/commands/form-fields.tsx'
import { problemIn, useSave } from '#client/commands/use-save.ts'
import { mayCreateWebhooks } from '#client/settings/people/rights.ts'
import { ShortNameField } from '#client/settings/people/short-name-field.tsx'
import { freeShortName } from '#client/settings/people/short-names.ts'
import { useFormDraft } from '#client/settings/ui/form-draft.ts'
import { Button } from '#client/ui/button.tsx'
import { Problem } from '#client/ui/problem.tsx'
import { t } from '#client/ui/t.ts'
import { incomingWebhook, integrationsOf } from './addresses.ts'

/** Makes the bot whose key the webhook URL has. */
export function NewBotForm({ service }: { readonly service: Integration }) {
  const { api, store, router } = useApp()
  const draft = useFormDraft(`bot of ${service.name}`, {
    name: service.display_name,
    shortName: freeShortName(store, service.name),
  })
  const { name, shortName } = draft.values
  const saving = useSave(undefined, async () => {
    const { user_id } = await api.post<{ user_id: number }>('/bots', {
      full_name: name.trim(),
      short_name: shortName.trim(),
      bot_type: incomingWebhook,
      service_name: service.name,
    })
    draft.clear()
    router.go(integrationsOf({ botId: user_id, service: service.name }), { replace: true })
  })
  const { status } = saving
  if (!mayCreateWebhooks(store)) {
    return (
      <p class="field-help">
        {t(
          'A webhook URL needs a bot, and you are not allowed to create bots. Ask an administrator.',
        )}
      </p>
    )
  }
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        void saving.save(undefined)
      }}
    >
      <p class="field-help">
        {t('Messages come from one of your bots. Its API key is part of the URL.')}
      </p>
      <FormText label={t('Bot name')} maxLength={100} isRequired {...draft.text('name')} />
      <ShortNameField {...draft.text('shortName')} />
      <Problem text={problemIn(status)} />
      <div class="row cluster">
        <Button kind="primary" type="submit" isBusy={status.kind === 'saving'}>
          {t('Create bot')}
        </Button>
      </div>
    </form>
  )
}
