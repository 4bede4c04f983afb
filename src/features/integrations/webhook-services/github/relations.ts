import { unsupported } from '#features/integrations/webhook-services/declaration.ts'
import { link } from '#features/integrations/webhook-services/format.ts'
import { acted } from '#features/integrations/webhook-services/git.ts'
import { chosen } from '#features/integrations/webhook-services/signs.ts'
import { actor, type GithubEvent, type GithubEvents, ticketOf } from './payload.ts'

/**
 * An issue that another one got or lost, under the topic of that one. GitHub tells each change from
 * both sides; the other side, as `parent_issue_added` and `blocking_added`, is ignored.
 */
const issueRelation = (
  event: string,
  at: { readonly whole: string; readonly part: string },
  verbs: Readonly<Record<string, readonly [before: string, after: string] | null>>,
): GithubEvent => ({
  say(payload, delivery) {
    const action = payload.text('action')
    const words = chosen(verbs, action)
    if (words === undefined) return unsupported(`${event}:${action}`)
    if (words === null) return undefined
    const part = link(
      `issue #${payload.text(`${at.part}.number`)} ${payload.text(`${at.part}.title`)}`,
      payload.maybeText(`${at.part}.html_url`),
    )
    const [before, after] = words
    const verb = `${before} ${part} ${after}`
    return acted(ticketOf(payload, delivery, 'issue', at.whole), { who: actor(payload), verb })
  },
})

const subIssues = issueRelation(
  'sub_issues',
  { whole: 'parent_issue', part: 'sub_issue' },
  {
    sub_issue_added: ['added', 'as a sub-issue to'],
    sub_issue_removed: ['removed', 'as a sub-issue from'],
    parent_issue_added: null,
    parent_issue_removed: null,
  },
)

const issueDependencies = issueRelation(
  'issue_dependencies',
  { whole: 'blocked_issue', part: 'blocking_issue' },
  {
    blocked_by_added: ['said that', 'blocks'],
    blocked_by_removed: ['said that', 'no longer blocks'],
    blocking_added: null,
    blocking_removed: null,
  },
)

/** The events of how issues belong together. */
export const relationEvents: GithubEvents = {
  sub_issues: subIssues,
  issue_dependencies: issueDependencies,
}
