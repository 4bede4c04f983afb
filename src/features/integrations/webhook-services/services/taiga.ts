import { integration, unsupported } from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import { inline, link, quoting } from '#features/integrations/webhook-services/format.ts'
import { chosen, signs } from '#features/integrations/webhook-services/signs.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

const kinds: Readonly<Record<string, string>> = {
  epic: 'epic',
  issue: 'issue',
  milestone: 'sprint',
  relateduserstory: 'user story',
  task: 'task',
  userstory: 'user story',
  wikipage: 'wiki page',
}

const bold = (text: string | undefined) => `**${inline(text ?? '')}**`

/** What it is, with its page. */
function target(data: Fields): string {
  return `**${link(data.firstText('subject', 'name', 'slug') ?? 'something', data.maybeText('permalink'))}**`
}

/** Values of a change, which are texts, numbers, null or the word "None". */
function values(change: Fields): readonly [from: string | undefined, to: string | undefined] {
  const value = (path: string) => {
    const text = change.someText(path)
    return text === 'None' ? undefined : text
  }
  return [value('from'), value('to')]
}

/** A sentence about each change, except those that others imply. */
function changeText(
  payload: Fields,
  what: string,
  name: string,
  change: Fields,
): string | undefined {
  const who = link(
    payload.firstText('by.full_name', 'by.username') ?? 'Somebody',
    payload.maybeText('by.permalink'),
  )
  const [from, to] = values(change)
  const moved = (field: string) => {
    if (from !== undefined && to !== undefined)
      return `${who} changed the ${field} of ${what} from ${bold(from)} to ${bold(to)}.`
    if (to !== undefined) return `${who} set the ${field} of ${what} to ${bold(to)}.`
    return `${who} removed the ${field} of ${what}${from === undefined ? '' : ` (${bold(from)})`}.`
  }
  switch (name) {
    case 'assigned_to':
      if (from !== undefined && to !== undefined)
        return `${who} reassigned ${what} from ${bold(from)} to ${bold(to)}.`
      return to === undefined
        ? `${who} unassigned ${bold(from)} from ${what}.`
        : `${who} assigned ${bold(to)} to ${what}.`
    case 'subject':
    case 'name':
      return `${who} renamed ${what} from ${bold(from)} to ${bold(to)}.`
    case 'description_diff':
      return `${who} changed the description of ${what}.`
    case 'is_blocked':
      return `${who} ${change.flag('to') ? 'blocked' : 'unblocked'} ${what}.`
    case 'is_closed':
      return `${who} ${change.flag('to') ? 'closed' : 'reopened'} ${what}.`
    case 'milestone':
      return moved('sprint')
    case 'estimated_start':
    case 'estimated_finish':
      return from === to ? undefined : moved(name.replace('_', ' '))
    case 'points':
      return change
        .entries('')
        .slice(0, 10)
        .map(([role, points]) => {
          const [old, now] = values(points)
          return `${who} changed the ${inline(role, 60)} points of ${what} from ${bold(old)} to ${bold(now)}.`
        })
        .join('\n')
    case 'due_date':
      return moved('due date')
    case 'status':
    case 'priority':
    case 'severity':
    case 'type':
      return moved(name)
    case 'user_story':
      return moved('user story')
    default:
      return undefined
  }
}

/** @source Taiga documentation, "Webhooks" */
export const taiga = integration({
  name: 'taiga',
  displayName: 'Taiga',
  category: 'Project management',
  eventTypes: Object.keys(kinds).flatMap((kind) =>
    ['create', 'change', 'delete'].map((action) => `${kind}_${action}`),
  ),
  sendsLongPayloads: true,
  steps: steps([
    'In the project, open **Settings → Integrations → Webhooks**, and add one.',
    'Paste `{url}` as **URL**, with any secret key, and press **Test webhook**.',
  ]),
  example: {
    body: {
      type: 'task',
      action: 'create',
      by: { full_name: 'Ada', username: 'ada', permalink: 'https://tree.taiga.io/profile/ada' },
      data: {
        subject: 'Water the roses',
        permalink: 'https://tree.taiga.io/project/garden/task/7',
        milestone: { name: 'Spring' },
      },
    },
    topic: 'Spring',
  },
  render({ payload }) {
    const type = payload.text('type')
    const action = payload.text('action')
    if (type === 'test') {
      return {
        topic: 'General',
        content: `The Taiga webhook was set up ${signs.tada}`,
        events: ['test', 'task_create'],
      }
    }
    const kind = chosen(kinds, type)
    if (kind === undefined || !['create', 'change', 'delete'].includes(action))
      return unsupported(`${type}_${action}`)
    const data = payload.object('data')
    const topic = data.someText('milestone.name') ?? 'General'
    const events = [`${type}_${action}`]
    const who = link(
      payload.firstText('by.full_name', 'by.username') ?? 'Somebody',
      payload.maybeText('by.permalink'),
    )
    if (type === 'relateduserstory') {
      const [story, epic] = [data.object('user_story'), data.object('epic')]
      const verb = action === 'create' ? 'added' : action === 'delete' ? 'removed' : 'changed'
      const way = action === 'delete' ? 'from' : action === 'create' ? 'to' : 'in'
      return {
        topic,
        content: `${who} ${verb} the user story ${target(story)} ${way} the epic ${target(epic)}.`,
        events,
      }
    }
    const story =
      type === 'task' && data.has('user_story.subject')
        ? ` in user story ${target(data.object('user_story'))}`
        : ''
    const what = `${kind} ${target(data)}${story}`
    if (action !== 'change') return { topic, content: `${who} ${action}d ${what}.`, events }
    const comment = payload.someText('change.comment')
    const changes = payload
      .entries('change.diff')
      .flatMap(([name, change]) => changeText(payload, what, name, change) ?? [])
    const said = [
      ...changes.sort().slice(0, 20),
      ...(comment === undefined ? [] : [quoting(`${who} commented on ${what}`, comment)]),
    ]
    return said.length === 0 ? undefined : { topic, content: said.join('\n'), events }
  },
})
