import { unsupported } from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import { inline, link } from '#features/integrations/webhook-services/format.ts'
import { acted, commented } from '#features/integrations/webhook-services/git.ts'
import { actor, commentChange, type GithubEvent, type GithubEvents, repo } from './payload.ts'
import { changeOf } from './tickets.ts'

/** A discussion as messages name it. */
function discussionOf(payload: Fields) {
  const number = payload.text('discussion.number')
  const title = payload.text('discussion.title')
  return {
    topic: `${repo(payload)} discussion #${number}: ${title}`,
    target: link(`discussion #${number}`, payload.maybeText('discussion.html_url')),
    titled: link(`discussion #${number} ${title}`, payload.maybeText('discussion.html_url')),
  }
}

const discussion: GithubEvent = {
  say(payload, { isElsewhere }) {
    const action = payload.maybeText('action') ?? 'created'
    const { topic, target, titled } = discussionOf(payload)
    const name = isElsewhere ? titled : target
    const who = actor(payload)
    if (action === 'created') {
      const category = payload.someText('discussion.category.name')
      const rest = category === undefined ? '' : `in ${inline(category)}`
      const body = payload.maybeText('discussion.body')
      return acted({ topic, target: name }, { who, verb: 'started', rest, body })
    }
    const [verb, rest = ''] = discussionChange(payload, action) ?? []
    if (verb === undefined) return unsupported(`discussion:${action}`)
    return acted({ topic, target: name }, { who, verb, rest })
  },
}

/** The verb phrases before and after the discussion. */
function discussionChange(payload: Fields, action: string) {
  if (action === 'category_changed') {
    return ['moved', `to ${inline(payload.maybeText('discussion.category.name') ?? 'a category')}`]
  }
  if (action.endsWith('labeled')) return changeOf(payload, action)
  return discussionActions.includes(action) ? [action] : undefined
}

const discussionActions = `answered unanswered closed reopened deleted edited locked unlocked pinned
  unpinned transferred`.split(/\s+/)

const discussionComment: GithubEvent = {
  say(payload, { isElsewhere }) {
    const action = payload.maybeText('action') ?? 'created'
    const change = commentChange(action)
    if (!change) return unsupported(`discussion_comment:${action}`)
    const { topic, target, titled } = discussionOf(payload)
    return commented(
      { topic, target: isElsewhere ? titled : target },
      {
        who: actor(payload),
        change,
        url: payload.maybeText('comment.html_url'),
        body: payload.maybeText('comment.body'),
      },
    )
  },
}

/** The events of discussions. */
export const discussionEvents: GithubEvents = { discussion, discussion_comment: discussionComment }
