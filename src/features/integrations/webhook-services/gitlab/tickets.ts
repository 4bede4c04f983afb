import { type Delivery, unsupported } from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import {
  acted,
  commented,
  commitLink,
  type Ticket,
  ticket,
} from '#features/integrations/webhook-services/git.ts'
import { chosen } from '#features/integrations/webhook-services/signs.ts'
import { homeOf, placed, type Renderer, repoOf, userOf } from './payload.ts'

function assigneesOf(payload: Fields): string[] {
  const all = payload.maybeList('assignees').flatMap((one) => one.maybeText('name') ?? [])
  const one = payload.maybeText('assignee.name')
  return all.length > 0 || one === undefined ? all : [one]
}

/** Templates hide instructions in comments. */
const shown = (text: string | undefined) => text?.replace(/<!--[\s\S]*?(?:-->|$)/g, '')

/** What people call a work item of a type; project and group count all types together. */
const workItemWords: Readonly<Record<string, string>> = {
  Epic: 'epic',
  Incident: 'incident',
  Issue: 'issue',
  'Key Result': 'key result',
  Objective: 'objective',
  Requirement: 'requirement',
  Task: 'task',
  'Test Case': 'test case',
  Ticket: 'ticket',
}

/** The word for the work item of an event; undefined: an issue, as old versions have no other. */
function workItemWord(payload: Fields): string | undefined {
  const type = payload.maybeText('object_attributes.type')
  const isOther = payload.maybeText('object_kind') === 'work_item'
  return (type && chosen(workItemWords, type)) ?? (isOther ? 'work item' : undefined)
}

function ticketOf(
  payload: Fields,
  delivery: Delivery,
  kind: 'issue' | 'epic' | 'MR',
  path: string,
  { url, word }: { readonly url?: string | undefined; readonly word?: string | undefined } = {},
): Ticket {
  const title = payload.text(`${path}.title`)
  const isUntitled = kind === 'MR' && delivery.option('use_merge_request_title') === 'false'
  return ticket(delivery, {
    repo: repoOf(payload),
    kind,
    word,
    number: payload.text(`${path}.iid`),
    title: isUntitled ? undefined : title,
    url: url ?? payload.maybeText(`${path}.url`),
  })
}

const issueVerbs = { open: 'opened', close: 'closed', reopen: 'reopened', update: 'updated' }

export const issue: Renderer = (payload, delivery) => {
  const action = payload.maybeText('object_attributes.action') ?? 'open'
  const verb = chosen(issueVerbs, action)
  if (verb === undefined) return unsupported(`Issue Hook ${action}`)
  const isOpened = action === 'open'
  const word = workItemWord(payload)
  const kind = word === 'epic' ? 'epic' : 'issue'
  const note = acted(ticketOf(payload, delivery, kind, 'object_attributes', { word }), {
    who: userOf(payload),
    verb,
    assignees: isOpened ? assigneesOf(payload) : [],
    body: isOpened ? shown(payload.maybeText('object_attributes.description')) : undefined,
  })
  return { ...note, content: placed(payload, delivery, note.content) }
}

/** By the action of an event. */
export const mergeVerbs: Readonly<Record<string, string>> = {
  open: 'opened',
  update: 'updated',
  close: 'closed',
  reopen: 'reopened',
  merge: 'merged',
  approved: 'approved',
  approval: 'approved',
  unapproved: 'took back the approval of',
  unapproval: 'took back the approval of',
}

export const mergeRequest: Renderer = (payload, delivery) => {
  const at = (name: string) => payload.maybeText(`object_attributes.${name}`)
  const action = at('action') ?? 'open'
  const hasCommits = action === 'update' && payload.has('object_attributes.oldrev')
  const verb = hasCommits ? 'added commits to' : chosen(mergeVerbs, action)
  if (verb === undefined) return unsupported(`Merge Request Hook ${action}`)
  const isOpened = action === 'open'
  const hasBranches = isOpened || action === 'merge'
  const note = acted(ticketOf(payload, delivery, 'MR', 'object_attributes'), {
    who: userOf(payload),
    verb,
    ...(hasBranches && { from: at('source_branch'), to: at('target_branch') }),
    assignees: isOpened ? assigneesOf(payload) : [],
    body: isOpened ? shown(at('description')) : undefined,
  })
  return { ...note, content: placed(payload, delivery, note.content) }
}

export const comment: Renderer = (payload, delivery) => {
  const kind = payload.maybeText('object_attributes.noteable_type') ?? ''
  const target = commentTarget(payload, delivery)
  if (!target) return unsupported(`Note Hook ${kind}`)
  const note = commented(target, {
    who: userOf(payload),
    change: payload.maybeText('object_attributes.action') === 'update' ? 'edited' : 'created',
    url: payload.maybeText('object_attributes.url'),
    body: payload.maybeText('object_attributes.note'),
  })
  return { ...note, content: placed(payload, delivery, note.content) }
}

/** The object of a comment: old versions of GitLab send only the URL of the comment. */
function commentTarget(payload: Fields, delivery: Delivery): Ticket | undefined {
  const url = payload.maybeText('object_attributes.url')?.split('#', 1)[0]
  if (payload.has('issue')) return ticketOf(payload, delivery, 'issue', 'issue', { url })
  if (payload.has('work_item')) return ticketOf(payload, delivery, 'issue', 'work_item', { url })
  if (payload.has('epic')) return ticketOf(payload, delivery, 'epic', 'epic', { url })
  if (payload.has('merge_request')) {
    return ticketOf(payload, delivery, 'MR', 'merge_request', { url })
  }
  if (payload.has('commit')) {
    const hash = payload.text('commit.id')
    return {
      topic: repoOf(payload),
      target: commitLink(hash, payload.maybeText('commit.url') ?? url),
    }
  }
  if (!payload.has('snippet')) return undefined
  const number = payload.text('snippet.id')
  return ticket(delivery, {
    repo: repoOf(payload),
    kind: 'snippet',
    number,
    title: payload.maybeText('snippet.title'),
    url: payload.maybeText('snippet.url') ?? `${homeOf(payload)}/-/snippets/${number}`,
  })
}
