import { type Sentence, sentTexts } from '#translations/translate.ts'
import type { Fields } from './fields.ts'
import type { Signature } from './signatures.ts'

/** The sections of a list of integrations, in order. */
export const categories = sentTexts([
  'Version control',
  'Continuous integration',
  'Monitoring',
  'Incidents',
  'Error tracking',
  'Infrastructure',
  'Project management',
  'Support',
  'Financial',
  'Media',
  'Publishing',
  'Automation',
  'Any service',
])

export type Category = (typeof categories)[number]

/** A query parameter of the webhook URL besides those of every integration. */
export interface UrlOption {
  readonly key: string
  readonly label: string
  readonly validator: 'check_string' | 'check_bool'
  /** Whether a `check_bool` holds where the URL does not name it; default: false. */
  readonly isOnByDefault?: boolean
}

/** The parts of a service's request from which messages are made. */
export interface Delivery {
  readonly payload: Fields
  /** The event that the header of `eventHeaders` names; empty for an integration without. */
  readonly event: string
  /** The value of a request header, by its lower-case name. */
  header(name: string): string | undefined
  /** The value of a URL option. */
  option(key: string): string | undefined
  /**
   * Whether the message is not shown under the topic of its note, because the URL names another or
   * no channel: links then repeat what the topic would have said.
   */
  readonly isElsewhere: boolean
}

/** A message about an event. */
export interface Note {
  /** The topic, unless the webhook URL names another. */
  readonly topic: string
  /** Markdown in which all foreign text went through `format.ts`. */
  readonly content: string
  /** Names of its event, any of which `only_events` and `exclude_events` match; absent: no event. */
  readonly events?: readonly string[]
  /** Whether only the bot's owner gets it, whatever the URL says, because it contains a secret. */
  readonly isForOwner?: boolean
}

/** An event of the service for which there is no message. */
export interface UnsupportedEvent {
  readonly unsupported: string
}

/** A body that this service never sends. */
export interface Anomalous {
  readonly anomalous: true
}

/** The messages about a delivery; none if the event is not worth one. */
export type DeliveryResult = Note | readonly Note[] | undefined | UnsupportedEvent | Anomalous

/** @param event its name, for the sender */
export function unsupported(event: string): UnsupportedEvent {
  return { unsupported: event.slice(0, 100) }
}

export const anomalous: Anomalous = { anomalous: true }

/** A request of the service, written for the documentation, and the topic of its message. */
export interface Example {
  readonly headers?: Readonly<Record<string, string>>
  /** The body, as JSON. */
  readonly body: object
  readonly topic: string
}

/** A service whose webhooks this server accepts under `/external/<name>`. */
export interface Integration {
  readonly name: string
  readonly displayName: string
  readonly category: Category
  /** The types that `only_events` and `exclude_events` filter; null if the service has none. */
  readonly eventTypes: readonly string[] | null
  /** The headers that can name the event, the usual one first; absent: the payload names it. */
  readonly eventHeaders?: readonly [string, ...string[]]
  /** Whether a body that is not JSON counts as text. */
  readonly takesText?: boolean
  /** Whether payloads are long event data, of up to 1 MiB; otherwise 256 KiB. */
  readonly sendsLongPayloads?: boolean
  /** How the service proves that it knows the secret, if its bot has one. */
  readonly signature?: Signature
  readonly urlOptions?: readonly UrlOption[]
  /** Query parameters that are members of the payload, where the body has none of that name. */
  readonly queryFields?: readonly string[]
  /** Whether the service can also send GET requests, whose payload is `queryFields`. */
  readonly sendsGet?: boolean
  /**
   * Whether the payload is a template that people paste into the service: its owner is then
   * notified about what it lacks.
   */
  readonly hasTemplate?: boolean
  /** Whether the service sends malformed payloads by itself, so that its owner need not know. */
  readonly isOftenMalformed?: boolean
  /** The steps in the service, in Markdown; `{url}` stands for the webhook URL. */
  readonly steps: readonly Sentence[]
  readonly example: Example
  /** Whether a delivery only asks which bot the key belongs to. */
  asksForBot?(payload: Fields): boolean
  render(delivery: Delivery): DeliveryResult
}

/** Keeps the type of a declaration. */
export function integration(declaration: Integration): Integration {
  return declaration
}
