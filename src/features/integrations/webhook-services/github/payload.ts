import type {
  Delivery,
  DeliveryResult,
  Note,
} from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import { link } from '#features/integrations/webhook-services/format.ts'
import { type Ticket, ticket } from '#features/integrations/webhook-services/git.ts'

/** The message about one of GitHub's events; `filters` are further names for it in filters. */
export interface GithubEvent {
  /** The name that filters of Zulip's URLs use; depends on the action of some events. */
  readonly filters?: (payload: Fields) => readonly string[]
  say(payload: Fields, delivery: Delivery): Exclude<DeliveryResult, readonly Note[]>
}

export type GithubEvents = Readonly<Record<string, GithubEvent>>

/** A person as a link. */
export function person(payload: Fields, path: string): string {
  return link(payload.text(`${path}.login`), payload.maybeText(`${path}.html_url`))
}

/** The person who did it. */
export const actor = (payload: Fields) => person(payload, 'sender')

/** The short name of the repository. */
export const repo = (payload: Fields) => payload.text('repository.name')

/** The repository as a link. */
export function repoLink(payload: Fields, path = 'repository'): string {
  const name = payload.maybeText(`${path}.full_name`) ?? payload.text(`${path}.name`)
  return link(name, payload.maybeText(`${path}.html_url`))
}

/** @param path of the issue or pull request in the payload */
export function ticketOf(
  payload: Fields,
  delivery: Delivery,
  kind: 'PR' | 'issue',
  path: string,
): Ticket {
  return ticket(delivery, {
    repo: repo(payload),
    kind,
    number: payload.text(`${path}.number`),
    title: payload.text(`${path}.title`),
    url: payload.maybeText(`${path}.html_url`),
  })
}

/** The verb for an action on a comment; undefined for other actions. */
export function commentChange(action: string): 'created' | 'edited' | 'deleted' | undefined {
  return action === 'created' || action === 'edited' || action === 'deleted' ? action : undefined
}
