import { stateOf, stateSign } from './alerts.ts'
import {
  type Example,
  type Integration,
  integration,
  type Note,
  unsupported,
} from './declaration.ts'
import type { Fields } from './fields.ts'
import { inline, link } from './format.ts'
import { chosen, signs } from './signs.ts'
import { steps } from './steps.ts'

/** The message about an event. @param subject Markdown for its subject */
type Say = (payload: Fields, subject: () => string) => string

/**
 * The integration of one of the programs that manage media: Sonarr and its relatives.
 *
 * @param about the member with the topic and the subject, and the events that not all of these
 *   programs have
 */
export function mediaManager(about: {
  readonly name: string
  readonly displayName: string
  readonly subject: string
  readonly events: Readonly<Record<string, Say>>
  readonly example: Example
}): Integration {
  const { name, displayName, subject, events, example } = about
  return integration({
    name,
    displayName,
    category: 'Media',
    eventTypes: [...Object.keys(events), ...ownEvents],
    steps: arrSteps,
    example,
    render({ payload }) {
      const own = ownEvent(payload, displayName)
      if (own) return own
      const event = payload.text('eventType')
      const say = chosen(events, event)
      if (!say) return unsupported(event)
      const content = say(payload, () => `**${inline(payload.text(subject))}**`)
      return { topic: payload.text(subject), content, events: [event] }
    },
  })
}

/** Files were renamed. */
export const renamed: Say = (_payload, subject) => `Files of ${subject()} were renamed.`

/** Something was added. */
export const added: Say = (_payload, subject) => `${subject()} was added.`

/** Something was deleted, perhaps with its files. */
export const removed: Say = (payload, subject) =>
  `${subject()} was deleted${payload.flag('deletedFiles') ? ', with its files' : ''}.`

/** Someone has to decide about a download. */
export const stuck: Say = (_payload, subject) => `${subject()} needs someone to import it by hand.`

/** Their own health, updates and tests; undefined if the event is another. */
function ownEvent(payload: Fields, displayName: string): Note | undefined {
  const event = payload.text('eventType')
  switch (event) {
    case 'Test':
      return {
        topic: `${displayName} - Test`,
        content: `The ${displayName} webhook was set up ${signs.tada}`,
        events: [event],
      }
    case 'Health':
    case 'HealthRestored': {
      const level = payload.text('level')
      const isOver = event === 'HealthRestored'
      const sign = stateSign(isOver ? 'resolved' : stateOf(level))
      const text = inline(payload.text('message'), 500)
      const more = payload.someText('wikiUrl')
      return {
        topic: `Health ${level}`,
        content: `${sign} ${text}${isOver ? ' (resolved)' : ''}${more ? ` (${link('more', more)})` : ''}`,
        events: [event],
      }
    }
    case 'ApplicationUpdate': {
      const [old, now] = [payload.text('previousVersion'), payload.text('newVersion')]
      return {
        topic: `${displayName} - Application update`,
        content: `${displayName} was updated from ${inline(old, 60)} to ${inline(now, 60)}.`,
        events: [event],
      }
    }
    default:
      return undefined
  }
}

/** The events of `ownEvent`. */
const ownEvents = ['Health', 'HealthRestored', 'ApplicationUpdate', 'Test'] as const

/** The quality of a file, which newer versions describe at length. */
function qualityOf(payload: Fields, path: string): string | undefined {
  const quality = payload.firstText(`${path}.quality.quality.name`, `${path}.quality`)
  return quality === undefined ? undefined : inline(quality, 60)
}

/** `imported`, or what an import replaced. */
export function importText(payload: Fields, name: string, file: string): string {
  const now = qualityOf(payload, file)
  const old = qualityOf(payload, 'deletedFiles.0')
  if (payload.flag('isUpgrade')) {
    const change = old !== undefined && now !== undefined ? ` from ${old} to ${now}` : ''
    return `${name} was upgraded${change}.`
  }
  return `${name} was imported${now === undefined ? '' : ` (${now})`}.`
}

/** The steps to set one of them up. */
const arrSteps = steps([
  'Open **Settings → Connect**, add a connection, and choose **Webhook**.',
  'Choose the triggers, and paste `{url}` as **Webhook URL**, with the method `POST`.',
  'Press **Test**, then **Save**.',
])

/** Why a file was deleted, in words. */
export function reasonText(payload: Fields): string {
  const reasons: Readonly<Record<string, string>> = {
    missingfromdisk: 'it was missing from the disk',
    manual: 'by hand',
    upgrade: 'it was upgraded',
    nolinkedepisodes: 'no episode belongs to it',
    manualoverride: 'it was replaced by hand',
  }
  const reason = payload.maybeText('deleteReason')?.toLowerCase() ?? ''
  return Object.hasOwn(reasons, reason) ? ` (${reasons[reason]})` : ''
}
