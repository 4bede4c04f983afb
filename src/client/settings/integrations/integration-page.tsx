import { ArrowLeft, Bot, Hash } from 'lucide'
import type { Integration } from '#client/api/wire.ts'
import { useApp } from '#client/app-context.ts'
import { ServerHtml } from '#client/messages/message-body.tsx'
import { useFormDraft } from '#client/settings/ui/form-draft.ts'
import { Icon, pointing } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'
import { integrationsOf } from './addresses.ts'
import { BotChoice } from './bot-choice.tsx'
import { DestinationFields } from './destination-fields.tsx'
import { FinishedUrl } from './finished-url.tsx'
import { NewBotForm } from './new-bot-form.tsx'
import { ServiceMark } from './service-mark.tsx'
import { type Destination, stepHtml, webhookUrl } from './webhook-url.ts'

const backIcon = pointing(ArrowLeft)

interface IntegrationPageProps {
  readonly service: Integration
  /** The bot that the webhook URL is for, if it is chosen. */
  readonly botId: number | undefined
}

const nowhere: Destination = { channelId: null, topic: '', events: null, options: {} }

/** One service: an example message, its webhook URL, and the steps in the service. */
export function IntegrationPage({ service, botId }: IntegrationPageProps) {
  const { store, router } = useApp()
  const { realm_bots, realm_url } = store.realm.value
  const draft = useFormDraft(`webhook ${service.name}`, nowhere)
  const bot = realm_bots.find(({ user_id, is_active }) => user_id === botId && is_active)
  const url = webhookUrl(realm_url, service.name, bot?.api_key ?? 'KEY', draft.values)
  return (
    <>
      <div class="stack integration-head">
        <a class="button button-quiet" href={router.href(integrationsOf({ botId }))}>
          <Icon node={backIcon} size={16} />
          {t('All integrations')}
        </a>
        <h4 class="row loose">
          <ServiceMark name={service.display_name} />
          {service.display_name}
        </h4>
      </div>
      <section class="setting-group">
        <h4>{t('What arrives')}</h4>
        <Example service={service} />
      </section>
      <section class="setting-group">
        <h4>{t('Webhook URL')}</h4>
        <BotChoice service={service} bot={bot} />
        {bot ? (
          <>
            <DestinationFields service={service} draft={draft} />
            <FinishedUrl service={service} bot={bot} url={url} destination={draft.values} />
          </>
        ) : (
          <NewBotForm service={service} />
        )}
      </section>
      <section class="setting-group">
        <h4>{t('In {service}', { service: service.display_name })}</h4>
        <ol class="stack loose integration-steps">
          {service.rendered_steps.map((html) => (
            <li key={html}>
              <ServerHtml html={stepHtml(html, url, t('the webhook URL'))} />
            </li>
          ))}
        </ol>
      </section>
    </>
  )
}

/** A message about the service's example, as it stands in a channel. */
function Example({ service }: { readonly service: Integration }) {
  const { topic, rendered_content } = service.example
  return (
    <figure class="integration-example" aria-label={t('An example of a message')}>
      <figcaption class="row">
        <Icon node={Hash} size={14} />
        <span class="ellipsis">{topic}</span>
      </figcaption>
      <div class="integration-message">
        <span class="service-mark">
          <Icon node={Bot} size={18} />
        </span>
        <div>
          <div class="message-head">
            <span class="message-sender">{service.display_name}</span>
          </div>
          <ServerHtml html={rendered_content} class="message-content" />
        </div>
      </div>
    </figure>
  )
}
