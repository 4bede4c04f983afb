import type {
  Delivery,
  Note,
  UnsupportedEvent,
} from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import { inline, link } from '#features/integrations/webhook-services/format.ts'

/** What is said of an event; undefined: nothing. */
export type Renderer = (payload: Fields, delivery: Delivery) => Note | UnsupportedEvent | undefined

/** The last name before `/-/` in an address of GitLab: that of a project or group. */
function nameInUrl(url: string | undefined): string | undefined {
  const [home = '', rest] = url?.split('/-/', 2) ?? []
  return rest === undefined ? undefined : home.split('/').at(-1) || undefined
}

/** The short name of the project, or of the group whose epic, milestone or token it is. */
export function repoOf(payload: Fields): string {
  return (
    payload.firstText(
      'project.name',
      'repository.name',
      'group.group_name',
      'group.name',
      'group.full_path',
    ) ??
    nameInUrl(payload.maybeText('object_attributes.url')) ??
    payload.text('project.name')
  )
}

/** The address of the project or group. */
export const homeOf = (payload: Fields) =>
  payload.firstText('project.web_url', 'repository.homepage', 'group.web_url')

/** The person who did it, in Markdown. */
export const userOf = (payload: Fields) => inline(payload.text('user.name'))

/** Puts the project before the sentence if no topic names it. */
export function placed(payload: Fields, { isElsewhere }: Delivery, content: string): string {
  return isElsewhere ? `[${link(repoOf(payload), homeOf(payload))}] ${content}` : content
}
