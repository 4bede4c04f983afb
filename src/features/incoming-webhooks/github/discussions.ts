import * as v from 'valibot'
import { code, inline, link, quoting } from '#features/incoming-webhooks/markdown.ts'
import { integer, maybeText, text } from '#features/incoming-webhooks/note.ts'
import { common, type NoteRenderer, type NoteResult, noteRenderer, person, who } from './base.ts'

const numbered = { number: integer, title: text, html_url: maybeText }
const label = v.nullish(v.object({ name: text }))
const assignee = v.nullish(person)
const comment = v.object({ body: maybeText, html_url: maybeText })

const issue = v.object({
  ...numbered,
  body: maybeText,
  state_reason: maybeText,
  // Present only on pull requests, because their comments are issue comments too.
  pull_request: v.nullish(v.unknown()),
})

const pull = v.object({
  ...numbered,
  body: maybeText,
  merged: v.nullish(v.boolean()),
  draft: v.nullish(v.boolean()),
  head: v.object({ ref: text }),
  base: v.object({ ref: text }),
})

type Numbered = { number: number; title: string; html_url?: string | null | undefined }

const issueTopic = (repo: { full_name: string }, { number, title }: Numbered) =>
  `${repo.full_name} / issue #${number} ${title}`
const pullTopic = (repo: { full_name: string }, { number, title }: Numbered) =>
  `${repo.full_name} / PR #${number} ${title}`
const linkTo = (what: string, { number, title, html_url }: Numbered) =>
  link(`${what} #${number}: ${title}`, html_url)

/** The verb phrase for an action on labels or assignees; undefined for other actions. */
function changeOf(
  action: string,
  given: { label?: v.InferOutput<typeof label>; assignee?: v.InferOutput<typeof assignee> },
): string | undefined {
  const name = given.label ? code(given.label.name) : 'a label'
  const whom = given.assignee ? who(given.assignee) : 'somebody'
  const changes: Record<string, string> = {
    labeled: `added the label ${name} to`,
    unlabeled: `removed the label ${name} from`,
    assigned: `assigned ${whom} to`,
    unassigned: `unassigned ${whom} from`,
  }
  return Object.hasOwn(changes, action) ? changes[action] : undefined
}

const plainIssueActions = `reopened edited deleted transferred pinned unpinned locked unlocked
  milestoned demilestoned`.split(/\s+/)

const issues = noteRenderer(
  v.object({ ...common, action: text, issue, label, assignee }),
  ({ sender, repository: repo, action, issue: one, ...given }): NoteResult => {
    const topic = issueTopic(repo, one)
    const target = linkTo('issue', one)
    const actor = who(sender)
    if (action === 'opened')
      return { topic, content: quoting(`${actor} opened ${target}`, one.body) }
    if (action === 'closed') {
      const reason = one.state_reason === 'not_planned' ? ' as not planned' : ''
      return { topic, content: `${actor} closed ${target}${reason}.` }
    }
    const verb = plainIssueActions.includes(action) ? action : changeOf(action, given)
    return verb === undefined ? 'unsupported' : { topic, content: `${actor} ${verb} ${target}.` }
  },
)

const issueComment = noteRenderer(
  v.object({ ...common, action: text, issue, comment }),
  ({ sender, repository: repo, action, issue: one, comment: said }): NoteResult => {
    const isPull = one.pull_request !== undefined && one.pull_request !== null
    const topic = isPull ? pullTopic(repo, one) : issueTopic(repo, one)
    const target = linkTo(isPull ? 'PR' : 'issue', one)
    const actor = who(sender)
    switch (action) {
      case 'created':
        return {
          topic,
          content: quoting(`${actor} ${link('commented', said.html_url)} on ${target}`, said.body),
        }
      case 'edited':
        return {
          topic,
          content: quoting(
            `${actor} edited a ${link('comment', said.html_url)} on ${target}`,
            said.body,
          ),
        }
      case 'deleted':
        return { topic, content: `${actor} deleted a comment on ${target}.` }
      default:
        return 'unsupported'
    }
  },
)

const plainPullActions = `reopened edited locked unlocked milestoned demilestoned`.split(/\s+/)

const pullRequest = noteRenderer(
  v.object({
    ...common,
    action: text,
    pull_request: pull,
    label,
    assignee,
    requested_reviewer: assignee,
    requested_team: v.nullish(v.object({ name: text })),
  }),
  ({ sender, repository: repo, action, pull_request: one, ...given }): NoteResult => {
    const topic = pullTopic(repo, one)
    const target = linkTo('PR', one)
    const actor = who(sender)
    const say = (verb: string) => ({ topic, content: `${actor} ${verb} ${target}.` })
    const { requested_reviewer, requested_team } = given
    const reviewer = requested_reviewer
      ? who(requested_reviewer)
      : inline(requested_team?.name ?? 'somebody')
    switch (action) {
      case 'opened': {
        const branches = `from ${code(one.head.ref)} to ${code(one.base.ref)}`
        const what = one.draft ? 'opened draft' : 'opened'
        return { topic, content: quoting(`${actor} ${what} ${target} ${branches}`, one.body) }
      }
      case 'closed':
        return say(one.merged ? 'merged' : 'closed without merging')
      case 'synchronize':
        return say('updated the commits of')
      case 'ready_for_review':
        return { topic, content: `${actor} marked ${target} as ready for review.` }
      case 'converted_to_draft':
        return { topic, content: `${actor} converted ${target} to a draft.` }
      case 'review_requested':
        return { topic, content: `${actor} requested a review of ${target} from ${reviewer}.` }
      case 'review_request_removed':
        return {
          topic,
          content: `${actor} withdrew the request for a review of ${target} from ${reviewer}.`,
        }
      default: {
        const verb = plainPullActions.includes(action) ? action : changeOf(action, given)
        return verb === undefined ? 'unsupported' : say(verb)
      }
    }
  },
)

const reviewed = v.object({ ...numbered })

const review = noteRenderer(
  v.object({
    ...common,
    action: text,
    pull_request: reviewed,
    review: v.object({ state: text, body: maybeText, html_url: maybeText }),
  }),
  ({ sender, repository: repo, action, pull_request: one, review: said }): NoteResult => {
    const verdicts: Record<string, string> = {
      approved: 'approved',
      changes_requested: 'requested changes to',
      commented: 'reviewed',
    }
    const verdict = Object.hasOwn(verdicts, said.state) ? verdicts[said.state] : undefined
    if (action !== 'submitted' || verdict === undefined) return 'unsupported'
    const line = `${who(sender)} ${link(verdict, said.html_url)} ${linkTo('PR', one)}`
    return { topic: pullTopic(repo, one), content: quoting(line, said.body) }
  },
)

const reviewComment = noteRenderer(
  v.object({
    ...common,
    action: text,
    pull_request: reviewed,
    comment: v.object({ body: maybeText, html_url: maybeText, path: maybeText }),
  }),
  ({ sender, repository: repo, action, pull_request: one, comment: said }): NoteResult => {
    if (action !== 'created') return 'unsupported'
    const file = said.path ? ` in ${code(said.path)}` : ''
    const line = `${who(sender)} ${link('commented', said.html_url)} on ${linkTo('PR', one)}${file}`
    return { topic: pullTopic(repo, one), content: quoting(line, said.body) }
  },
)

/** The events of issues and pull requests. */
export const discussionEvents: Readonly<Record<string, NoteRenderer>> = {
  issues,
  issue_comment: issueComment,
  pull_request: pullRequest,
  pull_request_review: review,
  pull_request_review_comment: reviewComment,
}
