import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { github } from '#features/integrations/webhook-services/services/github.ts'
import { fixtureApiKey } from '#program/fixture/people.ts'
import { failure, success } from '#test/support/replies.ts'
import { startServer } from '#test/support/server.ts'
import { notesAbout } from '#test/support/webhooks.ts'

const githubNote = (event: string, payload: object, branches?: string) =>
  notesAbout(github, payload, {
    headers: { 'X-GitHub-Event': event },
    ...(branches !== undefined && { options: { branches } }),
  })[0]

const site = 'https://github.com/acme/site'
const repository = { id: 1, name: 'site', full_name: 'acme/site', html_url: site, private: true }
const sender = { login: 'octocat', id: 5, html_url: 'https://github.com/octocat', type: 'User' }
const common = { repository, sender, organization: { login: 'acme' } }
const octocat = '[octocat](https://github.com/octocat)'
const none = '0'.repeat(40)
const sha = 'a1b2c3d4e5f6'.padEnd(40, '0')

const commit = (n: number, message = `Change ${n}`) => ({
  id: String(n).padStart(40, 'c'),
  message,
  url: `${site}/commit/${n}`,
  author: { name: 'Octo Cat', email: 'octo@example.com', username: 'octocat' },
  added: ['a.txt'],
  removed: [],
  modified: [],
})

const push = (changes: object = {}) => ({
  ...common,
  ref: 'refs/heads/main',
  before: sha,
  after: sha.replace('a', 'b'),
  created: false,
  deleted: false,
  forced: false,
  compare: `${site}/compare/a...b`,
  commits: [commit(1), commit(2, 'Fix [it]\n\nBecause it was broken.')],
  head_commit: commit(2),
  pusher: { name: 'octocat', email: null },
  ...changes,
})

const issue = { number: 7, title: 'It breaks', html_url: `${site}/issues/7`, body: 'On *Mondays*.' }
const issues = (action: string, changes: object = {}) => ({
  ...common,
  action,
  issue,
  ...changes,
})
const issueLink = `[issue #7](${site}/issues/7)`

const pull = {
  number: 8,
  title: 'Mend it',
  html_url: `${site}/pull/8`,
  body: null,
  state: 'open',
  merged: false,
  draft: false,
  head: { ref: 'mend', sha },
  base: { ref: 'main', sha },
}
const pulls = (action: string, changes: object = {}) => ({
  ...common,
  action,
  number: 8,
  pull_request: { ...pull, ...(changes as { pull_request?: object }).pull_request },
  ...Object.fromEntries(Object.entries(changes).filter(([name]) => name !== 'pull_request')),
})
const pullLink = `[PR #8](${site}/pull/8)`

const comment = { id: 3, body: 'Indeed.', html_url: `${site}/issues/7#issuecomment-3` }
const review = { state: 'approved', body: '', html_url: `${site}/pull/8#review-4` }
const release = {
  tag_name: 'v1.0',
  name: 'First',
  body: 'At last.',
  html_url: `${site}/releases/1`,
}
const run = {
  name: 'CI',
  html_url: `${site}/actions/runs/9`,
  conclusion: 'failure',
  head_branch: 'main',
  run_number: 12,
}
const check = { name: 'lint', html_url: `${site}/runs/9`, conclusion: 'success', head_sha: sha }

const other = { number: 9, title: 'A part', html_url: `${site}/issues/9` }
const alert = (changes: object) => ({
  ...common,
  alert: { number: 2, html_url: `${site}/security/2`, ...changes },
})
const alertLink = `[alert #2](${site}/security/2)`
const inSite = `in [acme/site](${site})`
const talk = {
  number: 5,
  title: 'Why?',
  html_url: `${site}/discussions/5`,
  category: { name: 'Q&A' },
}

const quote = (text: string) => `:\n\n\`\`\` quote\n${text}\n\`\`\``
const onMain = 'site / main'
const onIssue = 'site / issue #7 It breaks'
const onPull = 'site / PR #8 Mend it'
const onRepo = 'site'

describe('what is said of an event of GitHub', () => {
  // biome-ignore format: a table reads best in columns
  const matrix: [event: string, payload: object, topic: string, content: string][] = [
    ['ping',   { zen: 'Keep it logically awesome.', hook_id: 1, hook: {} }, 'GitHub', 'The GitHub webhook was set up :tada:'],

    ['push',   push(), onMain, `${octocat} [pushed](${site}/compare/a...b) 2 commits to branch \`main\`.\n\n` +
      `* Change 1 ([ccccccccccc](${site}/commit/1))\n* Fix [it] ([ccccccccccc](${site}/commit/2))`],
    ['push',   push({ commits: [commit(1)], forced: true }), onMain,
      `${octocat} [force pushed](${site}/compare/a...b) 1 commit to branch \`main\`.\n\n* Change 1 ([ccccccccccc](${site}/commit/1))`],
    ['push',   push({ commits: [], forced: true }), onMain, `${octocat} [force pushed](${site}/compare/a...b) to branch \`main\`.`],
    ['push',   push({ before: none, created: true, commits: [] }), onMain, `${octocat} [pushed](${site}/compare/a...b) the new branch \`main\`.`],
    ['push',   push({ before: none, created: true, commits: [commit(1, '')] }), onMain,
      `${octocat} [pushed](${site}/compare/a...b) 1 commit to the new branch \`main\`.\n\n* (no message) ([ccccccccccc](${site}/commit/1))`],
    ['push',   push({ after: none, deleted: true, commits: [] }), onMain, `${octocat} [deleted](${site}/compare/a...b) the branch \`main\`.`],
    ['push',   push({ ref: 'refs/heads/a/b`c' }), 'site / a/b`c', `${octocat} [pushed](${site}/compare/a...b) 2 commits to branch \`a/b c\`.\n\n` +
      `* Change 1 ([ccccccccccc](${site}/commit/1))\n* Fix [it] ([ccccccccccc](${site}/commit/2))`],
    ['push',   push({ ref: 'refs/tags/v1' }), onRepo, `${octocat} pushed tag \`v1\`.`],
    ['push',   push({ ref: 'refs/tags/v1', after: none }), onRepo, `${octocat} removed tag \`v1\`.`],

    ['create', { ...common, ref: 'v1', ref_type: 'tag' },    onRepo, `${octocat} created tag \`v1\`.`],
    ['delete', { ...common, ref: 'old', ref_type: 'branch' }, onRepo, `${octocat} deleted branch \`old\`.`],
    ['fork',   { ...common, forkee: { full_name: 'cat/site', html_url: 'https://github.com/cat/site' } }, onRepo,
      `${octocat} forked this to [cat/site](https://github.com/cat/site).`],
    ['star',   { ...common, action: 'created', starred_at: null }, onRepo, `${octocat} starred [acme/site](${site}).`],
    ['star',   { ...common, action: 'deleted' }, onRepo, `${octocat} unstarred [acme/site](${site}).`],

    ['issues', issues('opened'), onIssue, `${octocat} opened ${issueLink}${quote('On *Mondays*.')}`],
    ['issues', issues('opened', { issue: { ...issue, body: null } }), onIssue, `${octocat} opened ${issueLink}.`],
    ['issues', issues('closed', { issue: { ...issue, state_reason: 'completed' } }), onIssue, `${octocat} closed ${issueLink}.`],
    ['issues', issues('closed', { issue: { ...issue, state_reason: 'not_planned' } }), onIssue, `${octocat} closed ${issueLink} as not planned.`],
    ['issues', issues('reopened'), onIssue, `${octocat} reopened ${issueLink}.`],
    ['issues', issues('labeled', { label: { name: 'bug' } }), onIssue, `${octocat} added the label \`bug\` to ${issueLink}.`],
    ['issues', issues('unassigned', { assignee: sender }), onIssue, `${octocat} unassigned ${octocat} from ${issueLink}.`],

    ['issues', issues('typed', { type: { name: 'Bug' } }), onIssue, `${octocat} set the type \`Bug\` of ${issueLink}.`],
    ['issues', issues('untyped', { type: { name: 'Bug' } }), onIssue, `${octocat} removed the type \`Bug\` from ${issueLink}.`],
    ['sub_issues', { ...common, action: 'sub_issue_added', parent_issue: issue, sub_issue: other }, onIssue, `${octocat} added [issue #9 A part](${site}/issues/9) as a sub-issue to ${issueLink}.`],
    ['sub_issues', { ...common, action: 'sub_issue_removed', parent_issue: issue, sub_issue: other }, onIssue, `${octocat} removed [issue #9 A part](${site}/issues/9) as a sub-issue from ${issueLink}.`],
    ['issue_dependencies', { ...common, action: 'blocked_by_added', blocked_issue: issue, blocking_issue: other }, onIssue, `${octocat} said that [issue #9 A part](${site}/issues/9) blocks ${issueLink}.`],
    ['issue_dependencies', { ...common, action: 'blocked_by_removed', blocked_issue: issue, blocking_issue: other }, onIssue, `${octocat} said that [issue #9 A part](${site}/issues/9) no longer blocks ${issueLink}.`],
    ['pull_request_review_thread', pulls('resolved', { thread: { comments: [{ html_url: `${site}/pull/8#r1`, path: 'a.ts' }] } }), onPull,
      `${octocat} resolved [a thread](${site}/pull/8#r1) of the review of ${pullLink} in \`a.ts\`.`],
    ['pull_request_review_thread', pulls('unresolved', { thread: { comments: [] } }), onPull, `${octocat} reopened a thread of the review of ${pullLink}.`],
    ['discussion', { ...common, action: 'labeled', discussion: talk, label: { name: 'ask' } }, 'site discussion #5: Why?', `${octocat} added the label \`ask\` to [discussion #5](${talk.html_url}).`],
    ['discussion', { ...common, action: 'category_changed', discussion: talk }, 'site discussion #5: Why?', `${octocat} moved [discussion #5](${talk.html_url}) to Q&A.`],
    ['code_scanning_alert', { ...alert({ rule: { description: 'Injection', severity: 'error', security_severity_level: 'high' } }), action: 'created', ref: 'refs/heads/main' }, 'site / code scanning',
      `Code scanning ${alertLink} ${inSite} was found: Injection (severity: high).`],
    ['code_scanning_alert', { ...alert({ rule: { id: 'js/x', severity: 'note' } }), action: 'closed_by_user', ref: '' }, 'site / code scanning',
      `Code scanning ${alertLink} ${inSite} was dismissed: js/x (severity: note).`],
    ['secret_scanning_alert', { ...alert({ secret_type: 'slack', secret_type_display_name: 'Slack token', secret: 'xoxb-7' }), action: 'publicly_leaked' }, 'site / secret scanning',
      `Secret scanning ${alertLink} ${inSite} was leaked in public: Slack token.`],
    ['repository_advisory', { ...common, action: 'published', repository_advisory: { ghsa_id: 'GHSA-1', summary: 'Oh', severity: 'low', html_url: `${site}/a` } }, 'site / security advisories',
      `${octocat} published the advisory [GHSA-1](${site}/a): Oh (severity: low).`],

    ['issue_comment', { ...issues('created'), comment }, onIssue,
      `${octocat} [commented](${site}/issues/7#issuecomment-3) on ${issueLink}${quote('Indeed.')}`],
    ['issue_comment', { ...issues('edited'), comment }, onIssue,
      `${octocat} edited [a comment](${site}/issues/7#issuecomment-3) on ${issueLink}${quote('Indeed.')}`],
    ['issue_comment', { ...issues('deleted'), comment }, onIssue, `${octocat} deleted [a comment](${site}/issues/7#issuecomment-3) on ${issueLink}${quote('~~Indeed.~~')}`],
    ['issue_comment', { ...issues('created', { issue: { ...pull, pull_request: { url: 'x' } } }), comment }, onPull,
      `${octocat} [commented](${site}/issues/7#issuecomment-3) on ${pullLink}${quote('Indeed.')}`],

    ['pull_request', pulls('opened'), onPull, `${octocat} opened ${pullLink} from \`mend\` to \`main\`.`],
    ['pull_request', pulls('opened', { pull_request: { draft: true, body: 'Not yet.\r\n' } }), onPull,
      `${octocat} opened draft ${pullLink} from \`mend\` to \`main\`${quote('Not yet.')}`],
    ['pull_request', pulls('closed'), onPull, `${octocat} closed without merging ${pullLink}.`],
    ['pull_request', pulls('closed', { pull_request: { merged: true } }), onPull, `${octocat} merged ${pullLink} from \`mend\` to \`main\`.`],
    ['pull_request', pulls('synchronize', { before: sha, after: sha }), onPull, `${octocat} updated ${pullLink} from \`mend\` to \`main\`.`],
    ['pull_request', pulls('ready_for_review'), onPull, `${octocat} marked ${pullLink} as ready for review.`],
    ['pull_request', pulls('converted_to_draft'), onPull, `${octocat} converted ${pullLink} to a draft.`],
    ['pull_request', pulls('review_requested', { requested_reviewer: sender }), onPull, `${octocat} requested a review by ${octocat} of ${pullLink}.`],
    ['pull_request', pulls('review_requested', { requested_team: { name: 'Menders' } }), onPull, `${octocat} requested a review by Menders of ${pullLink}.`],
    ['pull_request', pulls('assigned', { assignee: sender }), onPull, `${octocat} assigned ${octocat} to ${pullLink}.`],
    ['pull_request', pulls('edited', { changes: {} }), onPull, `${octocat} edited ${pullLink}.`],

    ['pull_request_review', { ...pulls('submitted'), review }, onPull, `${octocat} [approved](${site}/pull/8#review-4) ${pullLink}.`],
    ['pull_request_review', { ...pulls('submitted'), review: { ...review, state: 'changes_requested', body: 'No.' } }, onPull,
      `${octocat} [requested changes to](${site}/pull/8#review-4) ${pullLink}${quote('No.')}`],
    ['pull_request_review_comment', { ...pulls('created'), comment: { ...comment, path: 'src/a.ts' } }, onPull,
      `${octocat} [commented](${site}/issues/7#issuecomment-3) on ${pullLink} in \`src/a.ts\`${quote('Indeed.')}`],

    ['commit_comment', { ...common, action: 'created', comment: { ...comment, commit_id: sha } }, onRepo,
      `${octocat} [commented](${site}/issues/7#issuecomment-3) on commit [a1b2c3d4e5f](${site}/issues/7)${quote('Indeed.')}`],
    ['release', { ...common, action: 'published', release }, onRepo, `${octocat} published release [First](${site}/releases/1) for tag \`v1.0\`${quote('At last.')}`],
    ['release', { ...common, action: 'deleted', release: { ...release, name: null } }, onRepo, `${octocat} deleted release [v1.0](${site}/releases/1) for tag \`v1.0\`.`],
    ['check_run', { ...common, action: 'completed', check_run: check }, 'site / checks',
      `Check [lint](${site}/runs/9) of commit [a1b2c3d4e5f](${site}/commit/${sha}): success :thumbs_up:`],
    ['workflow_run', { ...common, action: 'completed', workflow_run: run }, 'site / CI',
      `Workflow [CI #12](${site}/actions/runs/9) on branch \`main\`: failure :thumbs_down:`],
    ['workflow_run', { ...common, action: 'completed', workflow_run: { ...run, conclusion: 'action_required' } }, 'site / CI',
      `Workflow [CI #12](${site}/actions/runs/9) on branch \`main\`: action required :info:`],
  ]
  for (const [event, payload, topic, content] of matrix) {
    const { action = '' } = payload as { action?: string }
    test(`${event} ${action}: ${content.slice(0, 60)}`, () => {
      const { events = [], ...said } = githubNote(event, payload) ?? {}
      assert.deepEqual(said, { topic, content })
      assert.ok(events.includes(action === '' ? event : `${event}:${action}`))
    })
  }

  test('of many commits only the first are listed', () => {
    const commits = Array.from({ length: 25 }, (_, i) => commit(i))
    const note = githubNote('push', push({ commits }))
    const lines = note?.content.split('\n') ?? []
    assert.deepEqual([lines.length, lines.at(-1)], [23, '* and 5 more'])
  })

  test('of a long text only the beginning is quoted', () => {
    const body = '😎'.repeat(2000)
    const note = githubNote('issues', issues('opened', { issue: { ...issue, body } }))
    assert.ok(note?.content.includes(`\n${'😎'.repeat(1499)}…\n`))
  })
})

describe('which branches are wanted', () => {
  // biome-ignore format: a table reads best in columns
  const matrix: [string, string | undefined, boolean][] = [
    ['main',         undefined,         true],
    ['main',         '',                true],
    ['main',         'main',            true],
    ['main',         'dev, main',       true],
    ['main',         'mai',             false],
    ['release/1.0',  'main,release/*',  true],
    ['release/1.0',  '*',               true],
    ['release/1.0',  'r*/*.0',          true],
    ['release/1.0',  'r*/*.1',          false],
    ['aa',           'a*aa',            false],
    ['aaa',          'a*aa',            true],
    ['b'.repeat(255),  `*${'b'.repeat(255)}`,   true],
    ['b'.repeat(9000), `*${'b'.repeat(255)}c`,  false],
  ]
  for (const [name, branches, wanted] of matrix) {
    test(`${name} where ${branches} are: ${wanted ? 'yes' : 'no'}`, () => {
      const note = githubNote('push', push({ ref: `refs/heads/${name}` }), branches)
      assert.equal(note !== undefined, wanted)
    })
  }

  test('tags are no branches', () => {
    assert.ok(githubNote('push', push({ ref: 'refs/tags/v1' }), 'main'))
  })
})

describe('over HTTP', async () => {
  const server = await startServer()
  after(server.close)

  async function post(event: string, payload: object, query: Record<string, string> = {}) {
    const api_key = fixtureApiKey('webhook-bot@zulip.com')
    const asked = new URLSearchParams({ api_key, stream: 'Denmark', ...query })
    const response = await fetch(`${server.url}/api/v1/external/github?${asked}`, {
      method: 'POST',
      headers: { 'x-github-event': event, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ payload: JSON.stringify(payload) }),
    })
    return { status: response.status, reply: await response.json() }
  }

  async function count(): Promise<number> {
    const page = await server.as('zoe').get<{ messages: object[] }>('/messages', {
      narrow: [['sender', 17]],
      anchor: 'newest',
      num_before: 100,
      num_after: 0,
    })
    return page.messages.length
  }

  // biome-ignore format: a table reads best in columns
  const unsupported: [string, object, string][] = [
    ['team',          { ...common, action: 'created' },                        'team:created'],
    ['__proto__',     {},                                                      '__proto__'],
    ['issues',        issues('pondered'),                                      'issues:pondered'],
    ['pull_request',  pulls('dreamt'),                                         'pull_request:dreamt'],
    ['release',       { ...common, action: 'released', release },              'release:released'],
    ['issues',        issues('constructor'),                                   'issues:constructor'],
  ]
  for (const [event, payload, named] of unsupported) {
    test(`nothing is said of ${named}, and GitHub goes on sending`, async () => {
      const before = await count()
      const { status, reply } = await post(event, payload)
      assert.equal(status, 200)
      assert.deepEqual(
        reply,
        failure(
          `The '${named}' event isn't currently supported by the GitHub webhook; ignoring`,
          'UNSUPPORTED_WEBHOOK_EVENT_TYPE',
          { webhook_name: 'GitHub', event_type: named },
        ),
      )
      assert.equal(await count(), before)
    })
  }

  test('an option of the URL is as long as its meaning needs', async () => {
    const { status, reply } = await post('push', push({}), { branches: 'x'.repeat(1001) })
    assert.equal(status, 400)
    assert.deepEqual(reply, failure('branches is too long (limit: 1000 characters)'))
  })

  // biome-ignore format: a table reads best in columns
  const chosen: [string, Record<string, string>, boolean][] = [
    ['all of them',            {},                                               true],
    ['this one',               { only_events: '["push","issues"]' },             true],
    ['this and its action',    { only_events: '["issues:opened"]' },             true],
    ['another action',         { only_events: '["issues:closed"]' },             false],
    ['others',                 { only_events: '["push"]' },                      false],
    ['none at all',            { only_events: '[]' },                            false],
    ['a pattern',              { only_events: '["issue*"]' },                    true],
    ['all but this',           { exclude_events: '["issues"]' },                 false],
    ['all but an action',      { exclude_events: '["*:opened"]' },               false],
    ['all but others',         { exclude_events: '["push"]' },                   true],
    ['this, but not opened',   { only_events: '["issues"]', exclude_events: '["issues:opened"]' }, false],
  ]
  for (const [what, query, wanted] of chosen) {
    test(`an address that wants ${what}: ${wanted ? 'said' : 'left out'}`, async () => {
      const before = await count()
      assert.deepEqual(await post('issues', issues('opened'), query), {
        status: 200,
        reply: success,
      })
      assert.equal(await count(), before + Number(wanted))
    })
  }

  test('what is wanted is named as a list', async () => {
    const { status } = await post('issues', issues('opened'), { only_events: 'issues' })
    assert.equal(status, 400)
  })
})
