import * as shape from '#platform/shape.ts'

/** A bot's default channels. */
export const botDefaultShapes = {
  default_sending_stream: shape.noted(
    shape.nullable(shape.string),
    'The default channel for its messages.',
  ),
  default_events_register_stream: shape.noted(
    shape.nullable(shape.string),
    'The default channel that its event queues are narrowed to.',
  ),
  default_all_public_streams: shape.noted(
    shape.boolean,
    'Whether its event queues receive the messages of all public channels by default.',
  ),
}

/** The endpoint of an outgoing webhook bot, or the integration of an incoming one. */
export const botServicesShape = shape.list(
  shape.either(
    shape.object({ base_url: shape.string, interface: shape.choice(1, 2), token: shape.string }),
    shape.object({ service_name: shape.string, config_data: shape.record(shape.string) }),
  ),
)

/** @source Zulip API, "Register an event queue", "realm_bots" (feature level 421) */
export const botShape = shape.named('Bot', {
  user_id: shape.integer,
  full_name: shape.string,
  email: shape.string,
  bot_type: shape.nullable(shape.choice(1, 2, 3, 4)),
  is_active: shape.boolean,
  api_key: shape.string,
  avatar_url: shape.string,
  owner_id: shape.nullable(shape.integer),
  ...botDefaultShapes,
  services: botServicesShape,
})

export const botEventShapes = [
  shape.event('BotAddEvent', 'realm_bot', { op: shape.choice('add'), bot: botShape }),
  shape.event('BotUpdateEvent', 'realm_bot', {
    op: shape.choice('update'),
    bot: shape.named('BotChanges', {
      ...shape.optionals(botShape.entries),
      user_id: shape.integer,
    }),
  }),
  shape.event('BotDeleteEvent', 'realm_bot', {
    op: shape.choice('delete'),
    bot: shape.named('BotId', { user_id: shape.integer }),
  }),
]
