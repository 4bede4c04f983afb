import type { StatePart } from '#events/state.ts'
import { choice, list, named, noted, nullable, object, string } from '#shape.ts'
import { integrationList } from './integrations.ts'

const option = { key: string, label: string, validator: choice('check_string') }

const integrationShape = named('IncomingWebhookIntegration', {
  name: noted(string, 'The last part of its address.'),
  display_name: string,
  all_event_types: noted(
    nullable(list(string)),
    'What `only_events` and `exclude_events` choose from; null where they do not exist.',
  ),
  config_options: list(object(option)),
  url_options: list(object(option)),
})

/** The services whose webhooks are understood. @source api-changes §5, at feature level 421 */
export const integrationsState: StatePart = {
  types: ['realm_incoming_webhook_bots'],
  shape: { realm_incoming_webhook_bots: list(integrationShape) },
  read: () => ({
    realm_incoming_webhook_bots: integrationList.map((integration) => ({
      name: integration.name,
      display_name: integration.displayName,
      all_event_types: integration.eventTypes,
      config_options: integration.configOptions,
      url_options: integration.urlOptions,
    })),
  }),
}
