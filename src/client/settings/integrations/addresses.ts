import type { Bot } from '#client/api/wire.ts'
import type { Overlay } from '#client/narrow/narrow.ts'

/** The type of bots that only post, by their number in the API. */
export const incomingWebhook = 2

/** The selection on the page of integrations. */
export interface IntegrationsPage {
  /** The bot that the webhook URL is for; undefined: not chosen yet, or a new one. */
  readonly botId?: number | undefined
  /** The name of an integration; undefined: all of them. */
  readonly service?: string | undefined
}

/** The address of the page: a bot's id and the name of an integration, each if there is one. */
export function integrationsOf({ botId, service }: IntegrationsPage): Overlay {
  const rest = [botId?.toString(), service].filter((part) => part !== undefined)
  return { kind: 'settings', area: 'personal', path: ['integrations', ...rest] }
}

/** Parses the address after the section: names of integrations never consist of digits. */
export function integrationsPageOf(path: readonly string[]): IntegrationsPage {
  const [first = ''] = path
  const isBot = /^\d{1,15}$/.test(first)
  return {
    botId: isBot ? Number(first) : undefined,
    service: (isBot ? path[1] : path[0]) || undefined,
  }
}

/** The name of the integration that a bot was made for, if it was for one. */
export function serviceOf(bot: Bot): string | undefined {
  const service = bot.services.find((each) => 'service_name' in each)
  return service?.service_name
}

/** The page that shows the webhook URL of a bot. */
export function linkOfBot(bot: Bot): Overlay {
  return integrationsOf({ botId: bot.user_id, service: serviceOf(bot) })
}
