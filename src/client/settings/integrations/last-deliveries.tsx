import { RefreshCw, RotateCw } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import type { WebhookDelivery } from '#client/api/wire.ts'
import { useApp } from '#client/app-context.ts'
import { attempt } from '#client/commands/attempt.ts'
import { Secret } from '#client/settings/ui/secret.tsx'
import { Button, IconButton } from '#client/ui/button.tsx'
import { shortText } from '#client/ui/dates.ts'
import { t } from '#client/ui/t.ts'

interface LastDeliveriesProps {
  readonly botId: number
  /** Another number fetches the list again. */
  readonly round?: number
}

interface Deliveries {
  readonly deliveries: readonly WebhookDelivery[]
  readonly signing_secret: string | null
}

/** The deliveries to a bot, or by it to its service, with the answers. */
export function LastDeliveries({ botId, round = 0 }: LastDeliveriesProps) {
  const app = useApp()
  const { api } = app
  const [known, setKnown] = useState<Deliveries | undefined>()
  const [asked, ask] = useState(0)
  useEffect(() => {
    let isGone = false
    api.get<Deliveries>(`/bots/${botId}/deliveries`).then(
      (found) => isGone || setKnown(found),
      () => {},
    )
    return () => {
      isGone = true
    }
  }, [api, botId, round, asked])
  if (!known) return null
  const retry = async (id: number) => {
    await api.post(`/bots/${botId}/deliveries/${id}/retry`)
    app.notify(t('It is being delivered again.'))
  }
  const clock = app.store.settings.peek()
  return (
    <>
      {known.signing_secret !== null && (
        <div class="field">
          <span class="field-label">{t('Signing secret')}</span>
          <Secret text={known.signing_secret} copyLabel={t('Copy the signing secret')} />
          <p class="field-help">
            {t(
              'Each request is signed with it, in X-Parley-Signature, so that the service knows who sent it.',
            )}
          </p>
        </div>
      )}
      <div class="field">
        <span class="field-label">{t('Last deliveries')}</span>
        {known.deliveries.length === 0 ? (
          <p class="field-help">{t('Nothing was delivered yet.')}</p>
        ) : (
          <ul class="stack deliveries">
            {known.deliveries.map(({ id, at, what, status, answer, message_id }) => (
              <li key={id}>
                <span class={isGood(status) ? 'delivery-good' : 'delivery-bad'}>
                  {status ?? t('No answer')}
                </span>
                <span class="grow delivery-about">
                  <span class="ellipsis">{wordsFor(what)}</span>
                  <span class="clamp delivery-answer">
                    {shortText(at, clock)}
                    {answer !== '' && (
                      <>
                        {' · '}
                        <bdi>{answer}</bdi>
                      </>
                    )}
                  </span>
                </span>
                {message_id !== null && (
                  <IconButton
                    label={t('Deliver again')}
                    icon={RotateCw}
                    size={16}
                    onClick={() => void attempt(app, retry(id))}
                  />
                )}
              </li>
            ))}
          </ul>
        )}
        <div class="row cluster">
          <Button icon={RefreshCw} onClick={() => ask(asked + 1)}>
            {t('Look again')}
          </Button>
        </div>
      </div>
    </>
  )
}

const isGood = (status: number | null) => status !== null && status >= 200 && status < 300

/** @param what the integration and its events, which are names, or a trigger */
function wordsFor(what: string): string {
  if (what === 'mention') return t('Mention')
  return what === 'direct_message' ? t('Direct message') : what.replaceAll('_', ' ')
}
