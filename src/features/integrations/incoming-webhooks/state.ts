import { configOptions, integrations } from '#features/integrations/webhook-services/list.ts'
import type { StatePart } from '#platform/events/state.ts'
import * as shape from '#platform/shape.ts'

export const option = {
  key: shape.string,
  label: shape.string,
  validator: shape.choice('check_string', 'check_bool'),
}

/** The data that clients need to make a bot for a service, and its URL. */
export const integrationMembers = {
  name: shape.noted(shape.string, 'The last part of the webhook URL.'),
  display_name: shape.string,
  all_event_types: shape.noted(
    shape.nullable(shape.list(shape.string)),
    'The event types that `only_events` and `exclude_events` can name; null if the service has none.',
  ),
  config_options: shape.list(shape.object(option)),
  url_options: shape.list(shape.object(option)),
}

const integrationShape = shape.named('IncomingWebhookIntegration', integrationMembers)

/** The same for all viewers. */
export const integrationItems = integrations.map((service) => ({
  name: service.name,
  display_name: service.displayName,
  all_event_types: service.eventTypes && [...service.eventTypes],
  config_options: [...configOptions(service)],
  url_options: (service.urlOptions ?? []).map(({ key, label, validator }) => {
    return { key, label, validator }
  }),
}))

/**
 * The services whose webhooks this server accepts.
 *
 * @source Zulip API, "Register an event queue", "realm_incoming_webhook_bots" (feature level 421)
 */
export const integrationsState = {
  types: ['realm_incoming_webhook_bots'],
  members: { realm_incoming_webhook_bots: shape.list(integrationShape) },
  read: () => ({ realm_incoming_webhook_bots: integrationItems }),
} satisfies StatePart
