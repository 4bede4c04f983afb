import { stateOf, stateSign } from './alerts.ts'
import type { Note } from './declaration.ts'
import type { Fields } from './fields.ts'
import { inline, link } from './format.ts'
import { signs } from './signs.ts'

/**
 * What Sonarr and its relatives have in common: their own health, updates and tests.
 *
 * @returns undefined if the event is another
 */
export function ownEvent(payload: Fields, displayName: string): Note | undefined {
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
export const ownEvents = ['Health', 'HealthRestored', 'ApplicationUpdate', 'Test'] as const

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
export const arrSteps = [
  'Open **Settings → Connect**, add a connection, and choose **Webhook**.',
  'Choose the triggers, and paste `{url}` as **Webhook URL**, with the method `POST`.',
  'Press **Test**, then **Save**.',
]

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
