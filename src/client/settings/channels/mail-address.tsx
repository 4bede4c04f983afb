import { Copy, Mail } from 'lucide'
import { useState } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { attempt } from '#client/commands/attempt.ts'
import { copy } from '#client/commands/copy.ts'
import { Button } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'
import type { ChannelPageProps } from './channel-page.ts'

/** The address whose mail becomes messages in a channel. The server makes it when it is asked for. */
export function MailAddress({ channel }: ChannelPageProps) {
  const app = useApp()
  const [known, setKnown] = useState<{ readonly of: number; readonly email: string }>()
  if (!app.store.realm.value.server_takes_mail || channel.isArchived) return null
  const email = known?.of === channel.id ? known.email : undefined
  async function show(): Promise<void> {
    const path = `/streams/${channel.id}/email_address`
    const reply = await attempt(app, app.api.get<{ email: string }>(path))
    if (reply) setKnown({ of: channel.id, email: reply.email })
  }
  return (
    <section class="setting-group">
      <h4>{t('Messages by email')}</h4>
      <p class="field-help">
        {t(
          'Emails to your own address for this channel are posted here, with the subject as the topic, as long as you are allowed to post. Anyone who knows the address can use it.',
        )}
      </p>
      {email !== undefined && <code class="secret">{email}</code>}
      <div class="row cluster">
        {email === undefined ? (
          <Button icon={Mail} onClick={() => void show()}>
            {t('Show the address')}
          </Button>
        ) : (
          <Button icon={Copy} onClick={() => void copy(app, email, t('Address copied.'))}>
            {t('Copy the address')}
          </Button>
        )}
      </div>
    </section>
  )
}
