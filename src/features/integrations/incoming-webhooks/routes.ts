import * as v from 'valibot'
import type { Integration } from '#features/integrations/webhook-services/declaration.ts'
import { integrations } from '#features/integrations/webhook-services/list.ts'
import { type Endpoint, keyEndpoint } from '#platform/http/endpoint.ts'
import type { RequestFacts } from '#platform/http/facts.ts'
import {
  described,
  json,
  optional,
  type Param,
  text,
  textArray,
  type Values,
} from '#platform/http/params.ts'
import * as shape from '#platform/shape.ts'
import { receiveDelivery, type WebhookParameters } from './actions.ts'

const patterns = json(v.pipe(textArray(200, 200)))

/** The query parameters of every webhook URL. */
const common = {
  api_key: optional(
    described(text(200), 'The key of a bot. Without it, HTTP Basic with the key as password.'),
  ),
  stream: optional(text(1000)),
  topic: optional(text(1000)),
  only_events: optional(patterns),
  exclude_events: optional(patterns),
}

/** The largest payload of a service that sends full event data, in bytes. */
export const longPayload = 1024 * 1024
/** The largest payload of others, in bytes. */
const shortPayload = 256 * 1024

const identity = shape.optionals({
  full_name: shape.noted(shape.string, "The bot's name, if the service only asks for the bot."),
  email: shape.string,
  id: shape.integer,
})

/** The endpoint of an integration, which its service posts to. */
function webhook(service: Integration, method: 'post' | 'get'): Endpoint {
  const { name, displayName, eventTypes, urlOptions = [], queryFields = [] } = service
  const options = urlOptions.map(({ key, label }): [string, string?] => [key, label])
  const optionParams = paramsOf(options, longestOption)
  const fieldParams = paramsOf(
    queryFields.map((key): [string] => [key]),
    longestField,
  )
  return keyEndpoint({
    method,
    rawBody: method === 'post',
    path: `/external/${name}`,
    summary: `Receive ${displayName}'s webhooks: post messages to a channel or to the bot's owner.`,
    description: descriptionOf(eventTypes),
    params: { ...common, ...optionParams, ...fieldParams },
    bodyLimit: service.sendsLongPayloads ? longPayload : shortPayload,
    takesHead: true,
    reply: service.asksForBot ? identity : {},
    errors: [
      'STREAM_DOES_NOT_EXIST',
      'UNSUPPORTED_WEBHOOK_EVENT_TYPE',
      'ANOMALOUS_WEBHOOK_PAYLOAD',
      ...(service.eventHeaders ? (['MISSING_HTTP_EVENT_HEADER'] as const) : []),
    ],
    run: (caller, p, request: RequestFacts) =>
      receiveDelivery(caller, service, askedOf(p, optionParams, fieldParams), request),
  })
}

type OptionalTexts = Readonly<Record<string, Param<string | undefined>>>

/** The longest option of a webhook's URL, such as a list of branches, in UTF-16 code units. */
const longestOption = 1000
/** The longest member of a payload that stands in the URL, in UTF-16 code units. */
const longestField = 10_000

function paramsOf(
  names: readonly (readonly [key: string, label?: string | undefined])[],
  longest: number,
) {
  const param = optional(text(longest))
  const entries = names.map(([key, label]) => [key, label ? described(param, label) : param])
  return Object.fromEntries(entries) as OptionalTexts
}

function askedOf(
  p: Values<typeof common>,
  options: OptionalTexts,
  fields: OptionalTexts,
): WebhookParameters {
  const all: Readonly<Record<string, unknown>> = p
  const given = (names: OptionalTexts) =>
    Object.fromEntries(
      Object.keys(names).map((name) => {
        const value = all[name]
        return [name, typeof value === 'string' ? value : undefined]
      }),
    )
  return {
    channel: p.stream,
    topic: p.topic,
    only: p.only_events,
    except: p.exclude_events,
    options: given(options),
    fields: given(fields),
  }
}

function descriptionOf(eventTypes: Integration['eventTypes']): string {
  const body =
    'The body is the payload that the service sends. Without a channel, the bot sends its messages to its owner. HEAD is answered without a message.'
  if (!eventTypes) return body
  return `${body} Events for filters: ${eventTypes.map((name) => `\`${name}\``).join(', ')}.`
}

/** All webhooks by the name of their operation, such as `githubWebhook`. */
export const webhooks: Readonly<Record<string, Endpoint>> = Object.fromEntries(
  integrations.flatMap((service) => {
    const name = service.name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    const post = [`${name}Webhook`, webhook(service, 'post')] as const
    return service.sendsGet ? [post, [`${name}GetWebhook`, webhook(service, 'get')]] : [post]
  }),
)
