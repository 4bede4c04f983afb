import { unsupported } from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import { code, inline, link } from '#features/integrations/webhook-services/format.ts'
import { acted, closingVerb, commented } from '#features/integrations/webhook-services/git.ts'
import { chosen } from '#features/integrations/webhook-services/signs.ts'
import {
  actor,
  commentChange,
  type GithubEvent,
  type GithubEvents,
  person,
  repo,
  ticketOf,
} from './payload.ts'

/** Actions whose name is also the verb. */
const plainActions = `reopened edited deleted transferred pinned unpinned locked unlocked enqueued
  dequeued`.split(/\s+/)

/** The verb phrases before and after the target, for labels, milestones and people. */
export function changeOf(
  payload: Fields,
  action: string,
): readonly [verb: string, rest: string] | undefined {
  const label = () => code(payload.maybeText('label.name') ?? 'label')
  const milestone = () =>
    link(
      payload.firstText('milestone.title', 'issue.milestone.title') ?? 'a milestone',
      payload.maybeText('milestone.html_url'),
    )
  const whom = () => (payload.has('assignee.login') ? person(payload, 'assignee') : 'somebody')
  switch (action) {
    case 'labeled':
      return [`added the label ${label()} to`, '']
    case 'unlabeled':
      return [`removed the label ${label()} from`, '']
    case 'milestoned':
      return ['added', `to the milestone ${milestone()}`]
    case 'demilestoned':
      return ['removed', `from the milestone ${milestone()}`]
    case 'typed':
      return [`set the type ${code(payload.maybeText('type.name') ?? 'type')} of`, '']
    case 'untyped':
      return [`removed the type ${code(payload.maybeText('type.name') ?? 'type')} from`, '']
    case 'assigned':
      return [`assigned ${whom()} to`, '']
    case 'unassigned':
      return [`unassigned ${whom()} from`, '']
    default:
      return plainActions.includes(action) ? [action, ''] : undefined
  }
}

/** The logins of the people whom an issue or pull request is assigned to. */
function assigneesOf(payload: Fields, path: string): string[] {
  const all = payload.maybeList(`${path}.assignees`).flatMap((one) => one.maybeText('login') ?? [])
  if (all.length > 0) return all
  const one = payload.maybeText(`${path}.assignee.login`)
  return one === undefined ? [] : [one]
}

const issues: GithubEvent = {
  filters: (payload) => {
    const action = payload.maybeText('action') ?? ''
    if (action.endsWith('labeled')) return ['issue_labeled_or_unlabeled']
    if (action.endsWith('milestoned')) return ['issue_milestoned_or_demilestoned']
    if (action === 'transferred') return ['issues_transferred']
    return ['issues']
  },
  say(payload, delivery) {
    const action = payload.text('action')
    const target = ticketOf(payload, delivery, 'issue', 'issue')
    const who = actor(payload)
    if (action === 'opened') {
      const assignees = assigneesOf(payload, 'issue')
      return acted(target, {
        who,
        verb: 'opened',
        assignees,
        body: payload.maybeText('issue.body'),
      })
    }
    if (action === 'closed') {
      const isUnplanned = payload.maybeText('issue.state_reason') === 'not_planned'
      return acted(target, { who, verb: 'closed', rest: isUnplanned ? 'as not planned' : '' })
    }
    const [verb, rest] = changeOf(payload, action) ?? []
    if (verb === undefined) return unsupported(`issues:${action}`)
    const body = action === 'edited' && payload.has('changes.body') ? 'issue.body' : ''
    return acted(target, { who, verb, rest: rest ?? '', body: body ? payload.maybeText(body) : '' })
  },
}

const issueComment: GithubEvent = {
  say(payload, delivery) {
    const change = commentChange(payload.text('action'))
    if (!change) return unsupported(`issue_comment:${payload.text('action')}`)
    // Comments on pull requests are comments on issues too.
    const kind = payload.has('issue.pull_request') ? 'PR' : 'issue'
    return commented(ticketOf(payload, delivery, kind, 'issue'), {
      who: actor(payload),
      change,
      url: payload.maybeText('comment.html_url'),
      body: payload.maybeText('comment.body'),
    })
  },
}

const pullFilters: Readonly<Record<string, readonly string[]>> = {
  opened: ['opened_or_update_pull_request', 'opened_pull_request'],
  synchronize: ['opened_or_update_pull_request', 'updated_pull_request'],
  reopened: ['opened_or_update_pull_request', 'opened_pull_request'],
  edited: ['opened_or_update_pull_request', 'updated_pull_request'],
  closed: ['closed_pull_request'],
  assigned: ['assigned_or_unassigned_pull_request'],
  unassigned: ['assigned_or_unassigned_pull_request'],
  review_requested: ['pull_request_review_requested'],
  ready_for_review: ['pull_request_ready_for_review'],
  locked: ['locked_or_unlocked_pull_request'],
  unlocked: ['locked_or_unlocked_pull_request'],
  auto_merge_enabled: ['pull_request_auto_merge'],
  auto_merge_disabled: ['pull_request_auto_merge'],
  labeled: ['pull_request_labeled_or_unlabeled'],
  unlabeled: ['pull_request_labeled_or_unlabeled'],
  milestoned: ['pull_request_milestoned_or_demilestoned'],
  demilestoned: ['pull_request_milestoned_or_demilestoned'],
  enqueued: ['pull_request_enqueued_or_dequeued'],
  dequeued: ['pull_request_enqueued_or_dequeued'],
}

function reviewer(payload: Fields): string {
  if (payload.has('requested_reviewer.login')) return person(payload, 'requested_reviewer')
  const team = payload.maybeText('requested_team.name')
  return team === undefined ? 'somebody' : link(team, payload.maybeText('requested_team.html_url'))
}

const pullRequest: GithubEvent = {
  filters: (payload) => chosen(pullFilters, payload.maybeText('action') ?? '') ?? [],
  say(payload, delivery) {
    const action = payload.text('action')
    const target = ticketOf(payload, delivery, 'PR', 'pull_request')
    const who = actor(payload)
    const branches = {
      from: payload.firstText('pull_request.head.ref', 'pull_request.head.label'),
      to: payload.firstText('pull_request.base.ref', 'pull_request.base.label'),
    }
    const body = payload.maybeText('pull_request.body')
    const isMerged = payload.flag('pull_request.merged')
    switch (action) {
      case 'opened': {
        const verb = payload.flag('pull_request.draft') ? 'opened draft' : 'opened'
        const assignees = assigneesOf(payload, 'pull_request')
        return acted(target, { who, verb, ...branches, assignees, body })
      }
      case 'closed':
        return acted(target, { who, verb: closingVerb(isMerged), ...(isMerged && branches) })
      case 'synchronize':
        return acted(target, { who, verb: 'updated', ...branches })
      case 'edited':
        return acted(target, {
          who,
          verb: 'edited',
          body: payload.has('changes.body') ? body : undefined,
        })
      case 'ready_for_review':
        return acted(target, { who, verb: 'marked', rest: 'as ready for review' })
      case 'converted_to_draft':
        return acted(target, { who, verb: 'converted', rest: 'to a draft' })
      case 'auto_merge_enabled':
      case 'auto_merge_disabled':
        return acted(target, { who, verb: `${action.slice('auto_merge_'.length)} auto-merge for` })
      case 'locked': {
        const reason = payload.someText('pull_request.active_lock_reason')
        return acted(target, {
          who,
          verb: 'locked',
          rest: reason === undefined ? '' : `as ${inline(reason)}`,
        })
      }
      case 'review_requested':
        return acted(target, {
          who,
          verb: `requested a review by ${reviewer(payload)} of`,
        })
      case 'review_request_removed':
        return acted(target, {
          who,
          verb: `withdrew the request for a review by ${reviewer(payload)} of`,
        })
      default: {
        const [verb, rest = ''] = changeOf(payload, action) ?? []
        return verb === undefined
          ? unsupported(`pull_request:${action}`)
          : acted(target, { who, verb, rest })
      }
    }
  },
}

const verdicts: Readonly<Record<string, string>> = {
  approved: 'approved',
  changes_requested: 'requested changes to',
  commented: 'reviewed',
  dismissed: 'reviewed',
}

const review: GithubEvent = {
  say(payload, delivery) {
    const action = payload.text('action')
    const target = ticketOf(payload, delivery, 'PR', 'pull_request')
    const url = payload.maybeText('review.html_url')
    const who = actor(payload)
    if (action === 'submitted') {
      const verdict = chosen(verdicts, payload.maybeText('review.state') ?? '') ?? 'reviewed'
      const body = payload.maybeText('review.body')
      return acted(target, { who, verb: link(verdict, url), body })
    }
    if (action !== 'edited' && action !== 'dismissed')
      return unsupported(`pull_request_review:${action}`)
    const body = action === 'edited' ? payload.maybeText('review.body') : undefined
    return acted(target, { who, verb: `${action} ${link('a review', url)} of`, body })
  },
}

const reviewComment: GithubEvent = {
  say(payload, delivery) {
    const change = commentChange(payload.text('action'))
    if (!change) return unsupported(`pull_request_review_comment:${payload.text('action')}`)
    const { topic, target } = ticketOf(payload, delivery, 'PR', 'pull_request')
    const path = payload.someText('comment.path')
    const where = path === undefined ? target : `${target} in ${code(path)}`
    return commented(
      { topic, target: where },
      {
        who: actor(payload),
        change,
        url: payload.maybeText('comment.html_url'),
        body: change === 'deleted' ? undefined : payload.maybeText('comment.body'),
      },
    )
  },
}

const commitComment: GithubEvent = {
  say(payload) {
    const url = payload.maybeText('comment.html_url')
    const hash = payload.text('comment.commit_id')
    const commit = link(hash.slice(0, 11), url?.split('#', 1)[0])
    return commented(
      { topic: repo(payload), target: `commit ${commit}` },
      { who: actor(payload), url, body: payload.maybeText('comment.body') },
    )
  },
}

const reviewThread: GithubEvent = {
  say(payload, delivery) {
    const action = payload.text('action')
    const verb = chosen({ resolved: 'resolved', unresolved: 'reopened' }, action)
    if (verb === undefined) return unsupported(`pull_request_review_thread:${action}`)
    const at = (name: string) => payload.someText(`thread.comments.0.${name}`)
    const path = at('path')
    return acted(ticketOf(payload, delivery, 'PR', 'pull_request'), {
      who: actor(payload),
      verb: `${verb} ${link('a thread', at('html_url'))} of the review of`,
      rest: path === undefined ? '' : `in ${code(path)}`,
    })
  },
}

/** The events of issues, pull requests and commits. */
export const ticketEvents: GithubEvents = {
  issues,
  issue_comment: issueComment,
  pull_request: pullRequest,
  pull_request_review: review,
  pull_request_review_comment: reviewComment,
  commit_comment: commitComment,
  pull_request_review_thread: reviewThread,
}
