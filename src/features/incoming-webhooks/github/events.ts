import * as v from 'valibot'
import { code, inline, link, quoting } from '#features/incoming-webhooks/markdown.ts'
import { integer, maybeText, text } from '#features/incoming-webhooks/note.ts'
import { isWantedBranch, isZeroHash, parseRef, pushText } from '#features/incoming-webhooks/refs.ts'
import { common, type NoteRenderer, noteRenderer, repository, who } from './base.ts'
import { discussionEvents } from './discussions.ts'

const ping = noteRenderer(v.object({ zen: maybeText }), () => ({
  topic: 'GitHub',
  content: 'GitHub webhook is successfully configured! 🎉',
}))

const commit = v.object({ id: text, message: text, url: maybeText })

const push = noteRenderer(
  v.object({
    ...common,
    ref: text,
    before: text,
    after: text,
    created: v.optional(v.boolean()),
    forced: v.optional(v.boolean()),
    compare: maybeText,
    commits: v.optional(v.array(commit), []),
  }),
  (payload, branches) => {
    const { kind, name } = parseRef(payload.ref)
    const repo = payload.repository.full_name
    const isGone = isZeroHash(payload.after)
    const actor = who(payload.sender)
    if (kind === 'tag') {
      return {
        topic: repo,
        content: `${actor} ${isGone ? 'removed' : 'pushed'} tag ${code(name)}.`,
      }
    }
    if (!isWantedBranch(name, branches)) return undefined
    const topic = `${repo} / ${name}`
    if (isGone) return { topic, content: `${actor} deleted branch ${code(name)}.` }
    const { commits } = payload
    const content = pushText({
      who: actor,
      branch: name,
      commits,
      total: commits.length,
      compare: payload.compare,
      isNew: payload.created === true || isZeroHash(payload.before),
      isForced: payload.forced === true,
    })
    return { topic, content }
  },
)

const refEvent = (done: string) =>
  noteRenderer(
    v.object({ ...common, ref: v.nullish(text), ref_type: text }),
    ({ sender, repository: repo, ref, ref_type }, branches) => {
      // Without a ref the event is about a repository; a push event also reports new branches.
      if (!ref) return { topic: repo.full_name, content: `${who(sender)} ${done} the repository.` }
      if (ref_type === 'branch' && !isWantedBranch(ref, branches)) return undefined
      const kind = ref_type === 'tag' ? 'tag' : 'branch'
      return { topic: repo.full_name, content: `${who(sender)} ${done} ${kind} ${code(ref)}.` }
    },
  )

const commitComment = noteRenderer(
  v.object({
    ...common,
    comment: v.object({ body: maybeText, html_url: maybeText, commit_id: text }),
  }),
  ({ sender, repository: repo, comment }) => {
    const where = `commit ${code(comment.commit_id.slice(0, 11))}`
    const line = `${who(sender)} ${link('commented', comment.html_url)} on ${where}`
    return { topic: repo.full_name, content: quoting(line, comment.body) }
  },
)

const release = noteRenderer(
  v.object({
    ...common,
    action: text,
    release: v.object({ tag_name: text, name: maybeText, body: maybeText, html_url: maybeText }),
  }),
  ({ sender, repository: repo, action, release: one }) => {
    // `created` and `released` accompany `published` for the same release.
    if (!['published', 'edited', 'deleted'].includes(action)) return 'unsupported'
    const line = `${who(sender)} ${action} release ${link(one.name || one.tag_name, one.html_url)}`
    return { topic: repo.full_name, content: quoting(line, action === 'published' ? one.body : '') }
  },
)

const star = noteRenderer(
  v.object({ ...common, action: text }),
  ({ sender, repository: repo, action }) => {
    const verbs: Record<string, string> = { created: 'starred', deleted: 'removed their star from' }
    const verb = Object.hasOwn(verbs, action) ? verbs[action] : undefined
    if (verb === undefined) return 'unsupported'
    const name = link(repo.full_name, repo.html_url)
    return { topic: repo.full_name, content: `${who(sender)} ${verb} ${name}.` }
  },
)

const fork = noteRenderer(
  v.object({ ...common, forkee: repository }),
  ({ sender, repository: repo, forkee }) => {
    const copy = link(forkee.full_name, forkee.html_url)
    return { topic: repo.full_name, content: `${who(sender)} forked this to ${copy}.` }
  },
)

const outcome = (conclusion: string | null | undefined) => {
  const signs: Record<string, string> = { success: '✅', failure: '❌', timed_out: '❌' }
  const words = inline((conclusion ?? 'no result').replaceAll('_', ' '))
  return `${words} ${signs[conclusion ?? ''] ?? '⚪'}`
}

const checkRun = noteRenderer(
  v.object({
    ...common,
    action: text,
    check_run: v.object({
      name: text,
      html_url: maybeText,
      conclusion: maybeText,
      head_sha: text,
    }),
  }),
  ({ repository: repo, action, check_run: run }) => {
    if (action !== 'completed') return 'unsupported'
    const name = link(run.name, run.html_url)
    const where = code(run.head_sha.slice(0, 11))
    return {
      topic: `${repo.full_name} / checks`,
      content: `Check ${name} of commit ${where}: ${outcome(run.conclusion)}`,
    }
  },
)

const workflowRun = noteRenderer(
  v.object({
    ...common,
    action: text,
    workflow_run: v.object({
      name: maybeText,
      html_url: maybeText,
      conclusion: maybeText,
      head_branch: maybeText,
      run_number: v.optional(integer),
    }),
  }),
  ({ repository: repo, action, workflow_run: run }) => {
    if (action !== 'completed') return 'unsupported'
    const number = run.run_number === undefined ? '' : ` #${run.run_number}`
    const name = link(`${run.name ?? 'workflow'}${number}`, run.html_url)
    const branch = run.head_branch ? ` on branch ${code(run.head_branch)}` : ''
    return {
      topic: `${repo.full_name} / ${run.name ?? 'workflows'}`,
      content: `Workflow ${name}${branch}: ${outcome(run.conclusion)}`,
    }
  },
)

/** The renderers, by the event's name in the `X-GitHub-Event` header. */
export const eventsOf: Readonly<Record<string, NoteRenderer>> = {
  ...discussionEvents,
  ping,
  push,
  create: refEvent('created'),
  delete: refEvent('deleted'),
  commit_comment: commitComment,
  release,
  star,
  fork,
  check_run: checkRun,
  workflow_run: workflowRun,
}
