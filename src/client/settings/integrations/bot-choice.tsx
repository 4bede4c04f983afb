import type { Bot, Integration } from '#client/api/wire.ts'
import { useApp } from '#client/app-context.ts'
import { FormChoice } from '#client/commands/form-fields.tsx'
import { byName } from '#client/state/names.ts'
import { t } from '#client/ui/t.ts'
import { incomingWebhook, integrationsOf, serviceOf } from './addresses.ts'

interface BotChoiceProps {
  readonly service: Integration
  readonly bot: Bot | undefined
}

/** Chooses the bot that posts: a new one, or one of the user's that is for no other service. */
export function BotChoice({ service, bot }: BotChoiceProps) {
  const { store, router } = useApp()
  const bots = store.realm.value.realm_bots
    .filter(
      (each) =>
        each.user_id === bot?.user_id ||
        (each.is_active &&
          each.owner_id === store.selfId &&
          each.bot_type === incomingWebhook &&
          (serviceOf(each) ?? service.name) === service.name),
    )
    .sort((a, b) => byName(a.full_name, b.full_name))
  if (bots.length === 0) return null
  return (
    <FormChoice
      label={t('Bot that posts')}
      value={bot?.user_id ?? null}
      choices={[
        { value: null, label: t('A new bot') },
        ...bots.map(({ user_id, full_name }) => ({ value: user_id, label: full_name })),
      ]}
      onChange={(botId) =>
        router.go(integrationsOf({ botId: botId ?? undefined, service: service.name }), {
          replace: true,
        })
      }
    />
  )
}
