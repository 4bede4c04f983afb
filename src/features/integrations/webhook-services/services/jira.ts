import {
  anomalous,
  type DeliveryResult,
  integration,
  unsupported,
} from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import {
  bullet,
  inline,
  lines,
  link,
  listed,
  paragraphs,
  quoted,
  quoting,
} from '#features/integrations/webhook-services/format.ts'
import { struck } from '#features/integrations/webhook-services/git.ts'
import { hmacHeader } from '#features/integrations/webhook-services/signatures.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'
import { fromWikiMarkup } from '#features/integrations/webhook-services/wiki-markup.ts'
import { sentText } from '#translations/translate.ts'

/** Events that accompany others, or are about the work around issues. */
const ignored = `attachment_created issuelink_created issuelink_deleted jira:version_released
  jira:worklog_updated sprint_closed sprint_started worklog_created worklog_updated`.split(/\s+/)

interface Issue {
  readonly topic: string
  /** Markdown. */
  readonly target: string
}

/** The issue of a payload; a comment without one only has the issue's key in its address. */
function issueOf(payload: Fields, isElsewhere: boolean): Issue {
  const self = payload.firstText('issue.self', 'self', 'comment.self') ?? ''
  const key =
    payload.firstText('issue.key', 'key') ?? payload.text('comment.self').split('/').at(-3)
  const title = payload.firstText('issue.fields.summary', 'fields.summary')
  const base = /^(https?:\/\/.*?)\/rest\/api\//.exec(self)?.[1]
  const name = title !== undefined && isElsewhere ? `${key}: ${title}` : `${key}`
  return {
    topic: title === undefined ? `${key}` : `${key}: ${title}`,
    // Pages are named by keys, not by the IDs in addresses of the API.
    target: link(name, base && !/^\d+$/.test(`${key}`) ? `${base}/browse/${key}` : undefined),
  }
}

const actor = (payload: Fields) =>
  inline(
    payload.firstText('user.displayName', 'comment.author.displayName', 'comment.author.name') ??
      'Somebody',
  )

/** The action on a comment, which events of the issue have in `issue_event_type_name`. */
const commentVerbs: Readonly<Record<string, 'commented' | 'edited' | 'deleted'>> = {
  comment_created: 'commented',
  issue_commented: 'commented',
  comment_updated: 'edited',
  issue_comment_edited: 'edited',
  comment_deleted: 'deleted',
  issue_comment_deleted: 'deleted',
}

function commentText(payload: Fields, { target }: Issue, verb: string): string {
  const who = actor(payload)
  const body = payload.maybeText('comment.body')
  const text = body === undefined ? undefined : fromWikiMarkup(body)
  if (verb === 'commented') return quoting(`${who} commented on ${target}`, text)
  const quote = verb === 'deleted' && text ? struck(text) : text
  return quoting(`${who} ${verb} a comment on ${target}`, quote)
}

function created(payload: Fields, { target }: Issue): string {
  const priority = payload.someText('issue.fields.priority.name')
  const assignee = payload.firstText(
    'issue.fields.assignee.displayName',
    'issue.fields.assignee.emailAddress',
  )
  return lines(
    `${actor(payload)} created ${target}${priority || assignee ? ':' : '.'}`,
    priority && `\n${bullet('Priority', inline(priority))}`,
    assignee && bullet('Assignee', inline(assignee)),
  )
}

function updated(payload: Fields, { target }: Issue): string {
  const value = (text: string | undefined) => (text ? `**${inline(text)}**` : '*none*')
  const changes = payload.maybeList('changelog.items').map((item) => {
    const field = inline(item.maybeText('field') ?? 'something', 60)
    const [from, to] = [item.someText('fromString'), item.someText('toString')]
    return `* Changed ${field} from ${value(from)} to ${value(to)}`
  })
  const transition = payload.maybeObject('transition')
  if (transition) {
    const [from, to] = [transition.someText('from_status'), transition.someText('to_status')]
    changes.push(`* Changed status from ${value(from)} to ${value(to)}`)
  }
  const comment = payload.someText('comment.body')
  return paragraphs(
    `${actor(payload)} updated ${target}${changes.length > 0 || comment ? ':' : '.'}`,
    listed(changes, (line) => line),
    comment && quoted(fromWikiMarkup(comment)),
  )
}

/** @source Atlassian, "Webhooks" of Jira Cloud (read on 2026-11-24), and "Automation: send web request" */
export const jira = integration({
  name: 'jira',
  displayName: 'Jira',
  category: 'Project management',
  eventTypes: `jira:issue_created jira:issue_updated jira:issue_deleted comment_created
    comment_updated comment_deleted`.split(/\s+/),
  sendsLongPayloads: true,
  signature: hmacHeader(
    sentText('Secret with which Jira Cloud signs its requests'),
    'x-hub-signature',
    {
      prefix: 'sha256=',
    },
  ),
  steps: steps([
    'Open **Settings → System → WebHooks**, and press **Create a WebHook**.',
    'Paste `{url}` as **URL**, choose the events of issues and comments, and leave **Exclude body** off. If the bot has a secret, enter the same as **Secret**.',
    'In projects without administrators of Jira, an automation rule with the action **Send web request** and the body **Issue data** posts as well.',
  ]),
  example: {
    body: {
      webhookEvent: 'jira:issue_created',
      user: { displayName: 'Ada' },
      issue: {
        key: 'GARDEN-7',
        self: 'https://acme.atlassian.net/rest/api/2/issue/10007',
        fields: {
          summary: 'The roses need water',
          priority: { name: 'High' },
          assignee: { displayName: 'Grace' },
        },
      },
    },
    topic: 'GARDEN-7: The roses need water',
  },
  render({ payload, isElsewhere }): DeliveryResult {
    const named = payload.someText('webhookEvent')
    const isAutomation = payload.has('issue.key') || (payload.has('key') && payload.has('fields'))
    const event = named ?? (payload.has('transition') || isAutomation ? 'jira:issue_updated' : '')
    if (event === '') return anomalous
    if (ignored.includes(event)) return undefined
    const issue = () => issueOf(payload, isElsewhere)
    const say = (text: (issue: Issue) => string, name = event) => {
      const about = issue()
      return { topic: about.topic, content: text(about), events: [name] }
    }
    const own = Object.hasOwn(commentVerbs, event) ? commentVerbs[event] : undefined
    if (own) return say((about) => commentText(payload, about, own))
    switch (event) {
      case 'jira:issue_created':
        return say((about) => created(payload, about))
      case 'jira:issue_deleted':
        return say((about) => `${actor(payload)} deleted ${about.target}.`)
      case 'jira:issue_updated': {
        const type = payload.maybeText('issue_event_type_name') ?? ''
        const verb = Object.hasOwn(commentVerbs, type) ? commentVerbs[type] : undefined
        const isOnlyComment = payload.has('comment.body') && !payload.has('changelog')
        if (verb) return say((about) => commentText(payload, about, verb))
        if (isOnlyComment && !payload.has('transition')) {
          return say((about) => commentText(payload, about, 'commented'))
        }
        return say((about) => updated(payload, about))
      }
      default:
        return unsupported(event)
    }
  },
})
