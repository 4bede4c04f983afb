import { Copy, Send } from 'lucide'
import { useState } from 'preact/hooks'
import { CallError } from '#client/api/api.ts'
import type { Bot, Integration } from '#client/api/wire.ts'
import { useApp } from '#client/app-context.ts'
import { problemOf } from '#client/commands/attempt.ts'
import { copy } from '#client/commands/copy.ts'
import type { View } from '#client/narrow/narrow.ts'
import { LoopbackNote } from '#client/settings/ui/loopback-note.tsx'
import { TextField } from '#client/settings/ui/text-field.tsx'
import { Button } from '#client/ui/button.tsx'
import { pointing } from '#client/ui/icon.tsx'
import { t, tSent } from '#client/ui/t.ts'
import { serviceOf } from './addresses.ts'
import { LastDeliveries } from './last-deliveries.tsx'
import { type Destination, webhookUrl } from './webhook-url.ts'

const sendIcon = pointing(Send)

interface FinishedUrlProps {
  readonly service: Integration
  readonly bot: Bot
  readonly url: string
  readonly destination: Destination
}

/** The webhook URL to hand over, the secret if the service can have one, and a test. */
export function FinishedUrl({ service, bot, url, destination }: FinishedUrlProps) {
  const app = useApp()
  const [round, setRound] = useState(0)
  if (destination.events?.length === 0) {
    return <p class="field-help">{t('Choose which events to post.')}</p>
  }
  // The secret of a bot for another service is not asked for here.
  const isItsService = serviceOf(bot) === service.name
  const secret = isItsService ? secretOf(bot) : ''
  // The example goes through whichever events are chosen, so that something arrives.
  const testUrl = webhookUrl('', service.name, bot.api_key, { ...destination, events: null })
  return (
    <>
      <div class="field">
        <span class="field-label">{t('The URL')}</span>
        <pre class="secret integration-url">{url}</pre>
        <p class="field-help">
          {t('Keep this URL secret: anyone who has it can post as {name}.', {
            name: bot.full_name,
          })}
        </p>
        <LoopbackNote
          link={url}
          text={t(
            'Only this computer can open this address: services elsewhere cannot post to it.',
          )}
        />
        <div class="row cluster">
          <Button
            kind="primary"
            icon={Copy}
            onClick={() => void copy(app, url, t('Webhook URL copied.'))}
          >
            {t('Copy the URL')}
          </Button>
        </div>
      </div>
      {isItsService &&
        service.config_options.map(({ key, label }) => (
          <TextField
            key={key}
            name={`${key} ${bot.user_id}`}
            label={tSent(label)}
            help={t('Optional. Requests that are not signed with the secret are refused.')}
            maxLength={1000}
            value={secret}
            onSave={(value) =>
              app.api.patch(`/bots/${bot.user_id}`, { config_data: { [key]: value } })
            }
          />
        ))}
      {secret === '' ? (
        <Test
          key={testUrl}
          service={service}
          bot={bot}
          url={testUrl}
          destination={destination}
          onReply={() => setRound(round + 1)}
        />
      ) : (
        <p class="field-help">
          {t('Because there is a secret, only {service} can send a signed test.', {
            service: service.display_name,
          })}
        </p>
      )}
      <LastDeliveries botId={bot.user_id} round={round} />
    </>
  )
}

/** The secrets that a service needs besides the URL; empty: none. */
function secretOf(bot: Bot): string {
  const service = bot.services.find((each) => 'service_name' in each)
  const { webhook_secret: secret = '' } = service?.config_data ?? {}
  return secret
}

type TestResult = 'none' | 'waiting' | 'delivered' | { readonly problem: string }

interface TestProps extends FinishedUrlProps {
  readonly onReply: () => void
}

/** Posts the service's example to the URL, as the service would. */
function Test({ service, bot, url, destination, onReply }: TestProps) {
  const { router } = useApp()
  const [result, setResult] = useState<TestResult>('none')
  async function send(): Promise<void> {
    setResult('waiting')
    try {
      await deliver(url, service.example)
      setResult('delivered')
    } catch (error) {
      setResult({ problem: problemOf(error) })
    }
    onReply()
  }
  return (
    <div class="field">
      <div class="row cluster">
        <Button icon={sendIcon} isBusy={result === 'waiting'} onClick={() => void send()}>
          {t('Send a test')}
        </Button>
        <span role="status">
          {result === 'delivered' && (
            <>
              {t('The example was delivered.')}{' '}
              <a href={router.href(conversationOf(service, bot, destination))}>
                {t('Go to the message')}
              </a>
            </>
          )}
        </span>
      </div>
      {typeof result === 'object' ? (
        <p class="field-problem" role="alert">
          {result.problem}
        </p>
      ) : (
        <p class="field-help">{t('Posts the example above to the URL, as the service would.')}</p>
      )}
    </div>
  )
}

/** @throws CallError the error that the service would get */
async function deliver(url: string, { headers, body }: Integration['example']): Promise<void> {
  let response: Response
  let reply: { readonly msg?: unknown }
  try {
    response = await fetch(url, {
      method: 'POST',
      // The key in the URL identifies the sender, not the session.
      credentials: 'omit',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body,
    })
    reply = (await response.json()) as typeof reply
  } catch (error) {
    throw new CallError(String(error), 'NETWORK', 0)
  }
  if (!response.ok) throw new CallError(String(reply.msg), 'WEBHOOK', response.status)
}

function conversationOf(
  { example }: Integration,
  bot: Bot,
  { channelId, topic }: Destination,
): View {
  return {
    kind: 'messages',
    narrow:
      channelId === null
        ? { kind: 'direct', userIds: [bot.user_id] }
        : { kind: 'topic', channelId, topic: topic.trim() || example.topic },
  }
}
