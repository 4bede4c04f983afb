import {
  integration,
  type Note,
  unsupported,
} from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import {
  bullet,
  inline,
  lines,
  link,
  paragraphs,
  quoted,
  quoting,
} from '#features/integrations/webhook-services/format.ts'
import { hmacHeader } from '#features/integrations/webhook-services/signatures.ts'
import { chosen } from '#features/integrations/webhook-services/signs.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'
import { sentText } from '#translations/translate.ts'

const verbs: Readonly<Record<string, string>> = {
  create: 'created',
  update: 'updated',
  remove: 'removed',
}

const ignored = ['IssueLabel', 'Project', 'ProjectUpdate', 'Cycle', 'Reaction']

/** The title for topics, for people who want it, if the payload has it. */
function readable(payload: Fields): string | undefined {
  const key = payload.firstText('data.identifier', 'data.issue.identifier')
  const team = payload.someText('data.team.key')
  const number = payload.maybeText('data.number')
  const name = key ?? (team && number ? `${team}-${number}` : undefined)
  const title = payload.firstText('data.issue.title', 'data.title')
  return title === undefined ? undefined : [name, title].filter(Boolean).join(' ')
}

/** Where comments can stand besides issues, with a member that has the name of the whole. */
const places = [
  ['data.projectUpdateId', 'a project update', 'data.projectUpdate.project.name'],
  ['data.initiativeUpdateId', 'an initiative update', 'data.initiativeUpdate.initiative.name'],
  ['data.documentContentId', 'a document', 'data.documentContent.document.title'],
  ['data.projectId', 'a project', 'data.project.name'],
  ['data.initiativeId', 'an initiative', 'data.initiative.name'],
] as const

/** The topic of a comment, and what it is on, in Markdown. */
function placeOf(payload: Fields): readonly [topic: string, on: string] {
  const id = payload.someText('data.issueId')
  const title = payload.someText('data.issue.title')
  const place = places.find(([path]) => payload.has(path))
  if (id !== undefined || !place) {
    const on = title === undefined ? 'an issue' : `issue **${inline(title)}**`
    return [id ?? payload.text('data.issueId'), on]
  }
  const [path, kind, namePath] = place
  const name = payload.someText(namePath)
  const of = kind.endsWith('update') ? 'of ' : ''
  return [
    name ?? payload.text(path),
    name === undefined ? kind : `${kind} ${of}**${inline(name)}**`,
  ]
}

function comment(payload: Fields, verb: string): Note {
  const who = inline(payload.firstText('data.user.name', 'actor.name') ?? 'Somebody')
  const [topic, on] = placeOf(payload)
  const url = payload.maybeText('url')
  const line =
    verb === 'created'
      ? `${who} ${link('commented', url)} on ${on}`
      : `${who} ${verb} ${link('a comment', verb === 'removed' ? undefined : url)} on ${on}`
  return {
    topic,
    content: quoting(line, verb === 'removed' ? '' : payload.text('data.body')),
  }
}

function issue(payload: Fields, verb: string, isSub: boolean): Note {
  const kind = isSub ? 'Sub-issue' : 'Issue'
  const name = `#${payload.text('data.number')} ${payload.text('data.title')}`
  const url = verb === 'removed' ? undefined : payload.maybeText('url')
  const team = payload.someText('data.team.name')
  const where = team === undefined ? '' : ` in team ${inline(team)}`
  const topic = payload.text(isSub ? 'data.parentId' : 'data.id')
  const by = payload.someText('actor.name')
  const line = `${kind} **${link(name, url)}** was ${verb}${by === undefined ? '' : ` by ${inline(by)}`}${where}`
  if (verb === 'removed') return { topic, content: `${line}.` }
  const priority = payload.someText('data.priorityLabel')
  const facts = lines(
    priority !== 'No priority' && priority && bullet('Priority', inline(priority)),
    bullet('Assignee', inline(payload.someText('data.assignee.name') ?? '')),
    bullet('Status', inline(payload.someText('data.state.name') ?? '')),
  )
  const description = quoted(payload.maybeText('data.description'))
  const content = paragraphs(`${line}${description || facts ? ':' : '.'}`, description, facts)
  return { topic, content }
}

/** @source Linear Developers, "Webhooks" (read on 2026-11-24) */
export const linear = integration({
  name: 'linear',
  displayName: 'Linear',
  category: 'Project management',
  eventTypes: ['issue', 'sub_issue', 'comment'].flatMap((kind) =>
    Object.keys(verbs).map((action) => `${kind}_${action}`),
  ),
  signature: hmacHeader(sentText('Signing secret of the webhook'), 'linear-signature'),
  urlOptions: [
    {
      key: 'readable_topics',
      label: sentText('Topics with number and title instead of the ID of the issue'),
      validator: 'check_bool',
    },
  ],
  steps: steps([
    'Open **Settings → Administration → API**, and press **New webhook**.',
    'Paste `{url}` as **URL**, and choose **Issues** and **Issue comments**.',
    'If the bot is to check signatures, copy the **Signing secret** into its settings.',
  ]),
  example: {
    body: {
      type: 'Issue',
      action: 'create',
      url: 'https://linear.app/acme/issue/GAR-7/the-roses-need-water',
      actor: { name: 'Ada' },
      data: {
        id: '6a8a6d5e-0c44-4d43-9f3d-0d7c1a3f7b21',
        number: 7,
        title: 'The roses need water',
        description: 'Most of all on Mondays.',
        priorityLabel: 'High',
        state: { name: 'Todo' },
        team: { key: 'GAR', name: 'Garden' },
      },
    },
    topic: '6a8a6d5e-0c44-4d43-9f3d-0d7c1a3f7b21',
  },
  render({ payload, option }) {
    const type = payload.text('type')
    const action = payload.text('action')
    if (ignored.includes(type)) return undefined
    const verb = chosen(verbs, action)
    if (verb === undefined || (type !== 'Issue' && type !== 'Comment')) {
      return unsupported(`${type}:${action}`)
    }
    const isSub = type === 'Issue' && payload.has('data.parentId')
    const kind = type === 'Comment' ? 'comment' : isSub ? 'sub_issue' : 'issue'
    const note = type === 'Comment' ? comment(payload, verb) : issue(payload, verb, isSub)
    const title = option('readable_topics') === 'true' ? readable(payload) : undefined
    return {
      ...note,
      topic: title ?? note.topic,
      events: [`${kind}_${action}`, kind, `${kind}:${action}`],
    }
  },
})
