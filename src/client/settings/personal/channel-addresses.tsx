import { Mail } from 'lucide'
import type { ChannelEmailAddress } from '#client/api/wire.ts'
import { useApp } from '#client/app-context.ts'
import { openConfirm } from '#client/commands/confirm-dialog.tsx'
import { useFetched } from '#client/commands/use-fetched.ts'
import { channelName, userName } from '#client/state/names.ts'
import type { Store } from '#client/state/store.ts'
import { Button } from '#client/ui/button.tsx'
import { dayText } from '#client/ui/dates.ts'
import { Icon } from '#client/ui/icon.tsx'
import { Problem } from '#client/ui/problem.tsx'
import { t } from '#client/ui/t.ts'

const path = '/users/me/channel_email_addresses'

/** The addresses by which mail becomes messages of the user, of their bots or of Email Gateway. */
export function ChannelAddresses() {
  const { api, store } = useApp()
  const fetched = useFetched(undefined, () =>
    api.get<{ channel_email_addresses: readonly ChannelEmailAddress[] }>(path),
  )
  const addresses = fetched.value?.channel_email_addresses ?? []
  if (addresses.length === 0 && fetched.problem === undefined) return null
  return (
    <section class="setting-group">
      <h4>{t('Email addresses of channels')}</h4>
      <p class="field-help">
        {t(
          'Emails sent to these addresses are posted as messages. Addresses that post as you or your bots stop working when you change your password, API key or email address.',
        )}
      </p>
      <Problem text={fetched.problem} />
      <ul class="stack tight">
        {addresses.map((address) => (
          <li key={address.id} class="row loose session">
            <Icon node={Mail} />
            <span class="grow session-words">
              <span>#{channelName(address.stream_id, store)}</span>
              <span class="field-help">
                {senderText(address, store)}, {t('made: {day}', { day: dayText(address.created) })}
              </span>
            </span>
            <Button
              kind="quiet"
              aria-label={t('Revoke the address of #{channel}', {
                channel: channelName(address.stream_id, store),
              })}
              onClick={() =>
                openConfirm({
                  title: t('Revoke this address?'),
                  text: t('Emails to it will be refused. A new address will be different.'),
                  action: t('Revoke'),
                  run: async () => {
                    await api.delete(`${path}/${address.id}`)
                    fetched.reload()
                  },
                })
              }
            >
              {t('Revoke')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function senderText({ sender_id }: ChannelEmailAddress, store: Store): string {
  if (sender_id === store.selfId) return t('Posts as you')
  return t('Posts as {name}', { name: userName(sender_id, store) })
}
