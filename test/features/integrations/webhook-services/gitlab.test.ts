import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gitlab } from '#features/integrations/webhook-services/services/gitlab.ts'
import { ApiError } from '#platform/errors.ts'
import { notesAbout } from '#test/support/webhooks.ts'

const gitlabNote = (event: string, payload: object, branches?: string) =>
  notesAbout(gitlab, payload, {
    headers: { 'X-Gitlab-Event': event },
    ...(branches !== undefined && { options: { branches } }),
  })[0]

const site = 'https://gitlab.example/acme/site'
const project = { id: 1, name: 'Site', web_url: site, path_with_namespace: 'Site' }
const user = { id: 2, name: 'Ada', username: 'ada', avatar_url: null }
const none = '0'.repeat(40)
const sha = 'a1b2c3d4e5f6'.padEnd(40, '0')
const other = 'b1b2c3d4e5f6'.padEnd(40, '0')

const push = (changes: object = {}) => ({
  object_kind: 'push',
  event_name: 'push',
  before: sha,
  after: other,
  ref: 'refs/heads/main',
  checkout_sha: other,
  user_id: 2,
  user_name: 'Ada',
  user_username: 'ada',
  project,
  commits: [
    { id: sha, message: 'Mend it\n', title: 'Mend it', url: `${site}/-/commit/a`, author: user },
  ],
  total_commits_count: 1,
  ...changes,
})

const attributes = {
  id: 30,
  iid: 7,
  title: 'It breaks',
  url: `${site}/-/issues/7`,
  state: 'opened',
}
const issue = (action: string, changes: object = {}) => ({
  object_kind: 'issue',
  event_type: 'issue',
  user,
  project,
  object_attributes: { ...attributes, description: 'On *Mondays*.', action, ...changes },
  labels: [],
})
const issueLink = `[issue #7](${site}/-/issues/7)`

const request = (action: string, changes: object = {}) => ({
  object_kind: 'merge_request',
  user,
  project,
  object_attributes: {
    iid: 8,
    title: 'Mend it',
    url: `${site}/-/merge_requests/8`,
    description: '',
    source_branch: 'mend',
    target_branch: 'main',
    action,
    ...changes,
  },
})
const requestLink = `[MR #8](${site}/-/merge_requests/8)`

const note = (noteable_type: string, about: object) => ({
  object_kind: 'note',
  user,
  project,
  object_attributes: { id: 5, note: 'Indeed.', noteable_type, url: `${site}#note_5` },
  ...about,
})

const pipeline = (status: string) => ({
  object_kind: 'pipeline',
  user,
  project,
  object_attributes: { id: 31, ref: 'main', status, duration: 63, url: null },
  builds: [],
})

const job = (build_status: string) => ({
  object_kind: 'build',
  ref: 'main',
  build_id: 41,
  build_name: 'lint',
  build_stage: 'test',
  build_status,
  project_name: 'acme / site',
  repository: { name: 'Site', homepage: site },
})

const page = (action: string) => ({
  object_kind: 'wiki_page',
  user,
  project,
  object_attributes: { title: 'Home', url: `${site}/-/wikis/home`, action },
})

const release = (action: string) => ({
  object_kind: 'release',
  action,
  name: 'First',
  tag: 'v1',
  url: `${site}/-/releases/v1`,
  description: 'At last.',
  project,
})

const quote = (text: string) => `:\n\n\`\`\` quote\n${text}\n\`\`\``
const onMain = 'Site / main'
const onIssue = 'Site / issue #7 It breaks'
const onRequest = 'Site / MR #8 Mend it'

describe('what is said of an event of GitLab', () => {
  // biome-ignore format: a table reads best in columns
  const matrix: [event: string, payload: object, topic: string, content: string][] = [
    ['Push Hook', push(), onMain,
      `Ada [pushed](${site}/-/compare/${sha}...${other}) 1 commit to branch \`main\`.\n\n* Mend it ([a1b2c3d4e5f](${site}/-/commit/a))`],
    ['Push Hook', push({ total_commits_count: 40 }), onMain,
      `Ada [pushed](${site}/-/compare/${sha}...${other}) 40 commits to branch \`main\`.\n\n* Mend it ([a1b2c3d4e5f](${site}/-/commit/a))\n* and 39 more`],
    ['Push Hook', push({ before: none, commits: [], total_commits_count: 0 }), onMain, `Ada [pushed](${site}/-/compare/${none}...${other}) the new branch \`main\`.`],
    ['Push Hook', push({ after: none, commits: [], total_commits_count: 0 }), onMain, 'Ada deleted the branch `main`.'],
    ['Tag Push Hook', push({ ref: 'refs/tags/v1', before: none }), 'Site', 'Ada pushed tag `v1`.'],
    ['Tag Push Hook', push({ ref: 'refs/tags/v1', after: none }), 'Site', 'Ada removed tag `v1`.'],

    ['Issue Hook', issue('open'),   onIssue, `Ada opened ${issueLink}${quote('On *Mondays*.')}`],
    ['Issue Hook', issue('close'),  onIssue, `Ada closed ${issueLink}.`],
    ['Issue Hook', issue('reopen'), onIssue, `Ada reopened ${issueLink}.`],
    ['Issue Hook', issue('update'), onIssue, `Ada updated ${issueLink}.`],
    ['Confidential Issue Hook', issue('close', { confidential: true }), onIssue, `Ada closed ${issueLink}.`],

    ['Merge Request Hook', request('open'), onRequest, `Ada opened ${requestLink} from \`mend\` to \`main\`.`],
    ['Merge Request Hook', request('open', { description: 'See.' }), onRequest, `Ada opened ${requestLink} from \`mend\` to \`main\`${quote('See.')}`],
    ['Merge Request Hook', request('merge'), onRequest, `Ada merged ${requestLink} from \`mend\` to \`main\`.`],
    ['Merge Request Hook', request('close'), onRequest, `Ada closed ${requestLink}.`],
    ['Merge Request Hook', request('approved'), onRequest, `Ada approved ${requestLink}.`],
    ['Merge Request Hook', request('unapproval'), onRequest, `Ada took back the approval of ${requestLink}.`],

    ['Note Hook', note('Issue', { issue: attributes }), onIssue, `Ada [commented](${site}#note_5) on [issue #7](${site})${quote('Indeed.')}`],
    ['Note Hook', note('MergeRequest', { merge_request: { iid: 8, title: 'Mend it' } }), onRequest,
      `Ada [commented](${site}#note_5) on [MR #8](${site})${quote('Indeed.')}`],
    ['Note Hook', note('Commit', { commit: { id: sha } }), 'Site', `Ada [commented](${site}#note_5) on commit [a1b2c3d4e5f](${site})${quote('Indeed.')}`],
    ['Note Hook', note('Snippet', { snippet: { id: 4, title: 'Trick' } }), 'Site / snippet #4 Trick', `Ada [commented](${site}#note_5) on [snippet #4](${site}/-/snippets/4)${quote('Indeed.')}`],

    ['Pipeline Hook', pipeline('success'), onMain, `[Pipeline #31](${site}/-/pipelines/31) on \`main\` succeeded :thumbs_up:`],
    ['Pipeline Hook', pipeline('failed'),  onMain, `[Pipeline #31](${site}/-/pipelines/31) on \`main\` failed :thumbs_down:`],
    ['Job Hook', job('canceled'), onMain, `Job [lint](${site}/-/jobs/41) from stage \`test\` was canceled :info:.`],
    ['Release Hook', release('create'), 'Site', `Release [First](${site}/-/releases/v1) was created${quote('At last.')}`],
    ['Release Hook', release('delete'), 'Site', `Release [First](${site}/-/releases/v1) was deleted.`],
    ['Wiki Page Hook', page('update'), 'Site', `Ada updated the wiki page [Home](${site}/-/wikis/home).`],
  ]
  for (const [event, payload, topic, content] of matrix) {
    test(`${event}: ${content.slice(0, 60)}`, () => {
      const said = gitlabNote(event, payload)
      assert.deepEqual([said?.events?.[0], said?.topic, said?.content], [event, topic, content])
    })
  }

  test('its action counts where events are chosen', () => {
    const note = gitlabNote('Issue Hook', issue('open'))
    assert.deepEqual(note?.events, ['Issue Hook', 'Issue Hook open', 'Issue Hook:open'])
  })
})

describe('nothing is said of', () => {
  // biome-ignore format: a table reads best in columns
  const matrix: [string, string, object, string | undefined][] = [
    ['a push to another branch',     'Push Hook',     push(),              'release/*'],
    ['a pipeline of another branch', 'Pipeline Hook', pipeline('failed'),  'release/*'],
    ['a job of another branch',      'Job Hook',      job('failed'),       'release/*'],
  ]
  for (const [what, event, payload, branches] of matrix) {
    test(what, () => assert.deepEqual([gitlabNote(event, payload, branches)], [undefined]))
  }
})

describe('unsupported', () => {
  // biome-ignore format: a table reads best in columns
  const matrix: [string, object, string][] = [
    ['Emoji Hook',         {},                       'Emoji Hook'],
    ['toString',           {},                       'toString'],
    ['Issue Hook',         issue('ponder'),          'Issue Hook ponder'],
    ['Merge Request Hook', request('toString'),      'Merge Request Hook toString'],
    ['Note Hook',          note('Epic', {}),         'Note Hook Epic'],
    ['Release Hook',       release('x'),             'Release Hook x'],
  ]
  for (const [event, payload, named] of matrix) {
    test(named, () => {
      assert.throws(
        () => gitlabNote(event, payload),
        (error) => error instanceof ApiError && error.extra.event_type === named,
      )
    })
  }
})

test('titles of merge requests are left out of topics where the URL says so', () => {
  const topicWith = (options: Readonly<Record<string, string>>) => {
    const headers = { 'X-Gitlab-Event': 'Merge Request Hook' }
    return notesAbout(gitlab, request('open'), { headers, options })[0]?.topic
  }
  assert.equal(topicWith({ use_merge_request_title: 'false' }), 'Site / MR #8')
  assert.equal(topicWith({ use_merge_request_title: 'true' }), topicWith({}))
  assert.notEqual(topicWith({}), 'Site / MR #8')
})
