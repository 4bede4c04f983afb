/** The parameters of a webhook URL. */
export interface Destination {
  /** Null: a direct message to the bot's owner. */
  readonly channelId: number | null
  /** Empty: the service's events decide. Without effect if there is no channel. */
  readonly topic: string
  /** Types of events; null: all of them. */
  readonly events: readonly string[] | null
  /** Values of the integration's own options; empty ones are left out. */
  readonly options: Readonly<Record<string, string>>
}

/**
 * The URL that a service posts to.
 *
 * @param server the address of the server, without a slash at its end
 * @param name of the integration
 * @source Zulip documentation, "Incoming webhooks overview"
 */
export function webhookUrl(
  server: string,
  name: string,
  apiKey: string,
  { channelId, topic, events, options }: Destination,
): string {
  const query = new URLSearchParams({ api_key: apiKey })
  if (channelId !== null) {
    query.set('stream', String(channelId))
    if (topic.trim() !== '') query.set('topic', topic.trim())
  }
  if (events !== null) query.set('only_events', JSON.stringify(events))
  for (const [key, value] of Object.entries(options)) {
    if (value.trim() !== '') query.set(key, value.trim())
  }
  return `${server}/api/v1/external/${name}?${query}`
}

/** An option that is on or off. */
interface Switch {
  readonly is_on_by_default: boolean
}

/** @param value of the option in the URL; empty: the URL does not name it */
export function isOptionOn({ is_on_by_default: isUsual }: Switch, value: string): boolean {
  return value === '' ? isUsual : value === 'true'
}

/** The value of an option in the URL; empty, and so left out, where it is the usual one. */
export function optionValue({ is_on_by_default: isUsual }: Switch, isOn: boolean): string {
  return isOn === isUsual ? '' : String(isOn)
}

/**
 * A step of setting a service up, for one webhook URL. Texts refer to the URL by its name, because
 * it is already on the page; blocks to copy contain the URL itself.
 *
 * @param html as the server rendered it, with `{url}` for the webhook URL
 */
export function stepHtml(html: string, url: string, nameOfUrl: string): string {
  return html
    .replaceAll('<code>{url}</code>', () => `<strong>${escaped(nameOfUrl)}</strong>`)
    .replaceAll('{url}', () => escaped(url))
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
