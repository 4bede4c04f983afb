import {
  boolean,
  choice,
  either,
  event,
  integer,
  list,
  named,
  noted,
  nullable,
  object,
  optionals,
  record,
  string,
} from '#shape.ts'

/** Which channels a bot's requests are about, unless they say. */
export const botDefaultShapes = {
  default_sending_stream: noted(
    nullable(string),
    'The channel where its messages go that name none.',
  ),
  default_events_register_stream: noted(
    nullable(string),
    "The channel that its event queues' messages come from, unless they say.",
  ),
  default_all_public_streams: noted(
    boolean,
    'Whether its event queues get the messages of all public channels, unless they say.',
  ),
}

/** Where an outgoing webhook posts to, or what the integration of an incoming one has to know. */
export const botServicesShape = list(
  either(
    object({ base_url: string, interface: choice(1, 2), token: string }),
    object({ service_name: string, config_data: record(string) }),
  ),
)

/** @source the API description's `Bot`, at feature level 421 */
export const botShape = named('Bot', {
  user_id: integer,
  full_name: string,
  email: string,
  bot_type: nullable(choice(1, 2, 3, 4)),
  is_active: boolean,
  api_key: string,
  avatar_url: nullable(string),
  owner_id: nullable(integer),
  ...botDefaultShapes,
  services: botServicesShape,
})

export const botEventShapes = [
  event('BotAddEvent', 'realm_bot', { op: choice('add'), bot: botShape }),
  event('BotUpdateEvent', 'realm_bot', {
    op: choice('update'),
    bot: named('BotChanges', { ...optionals(botShape.entries), user_id: integer }),
  }),
  event('BotDeleteEvent', 'realm_bot', {
    op: choice('delete'),
    bot: named('BotId', { user_id: integer }),
  }),
]
