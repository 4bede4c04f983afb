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

const deployment = (status: string, changes: object = {}) => ({
  object_kind: 'deployment',
  status,
  user,
  project,
  environment: 'production',
  deployable_url: `${site}/-/jobs/43`,
  short_sha: 'a1b2c3d4',
  commit_url: `${site}/-/commit/${sha}`,
  ...changes,
})

const milestone = (action: string, changes: object = {}) => ({
  object_kind: 'milestone',
  project,
  object_attributes: { iid: 4, title: 'v2' },
  action,
  ...changes,
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
    ['Deployment Hook', deployment('running'), 'Site / Deployment on production',
      `[Deployment](${site}/-/jobs/43) of commit [a1b2c3d4](${site}/-/commit/${sha}) to production is running :counterclockwise:.`],
    ['Deployment Hook', deployment('failed', { short_sha: undefined }), 'Site / Deployment on production',
      `[Deployment](${site}/-/jobs/43) to production failed :thumbs_down:.`],
    ['Feature Flag Hook', { user, project, object_attributes: { name: 'dark', active: true } }, 'Site', 'Ada turned on the feature flag `dark`.'],
    ['Feature Flag Hook', { user, project, object_attributes: { name: 'dark', active: false } }, 'Site', 'Ada turned off the feature flag `dark`.'],
    ['Milestone Hook', milestone('create'), 'Site', `The milestone [v2](${site}/-/milestones/4) was created.`],
    ['Milestone Hook', milestone('reopen', { user }), 'Site', `Ada reopened the milestone [v2](${site}/-/milestones/4).`],
    ['Milestone Hook', milestone('delete', { user }), 'Site', 'Ada deleted the milestone v2.'],
    ['Resource Access Token Hook', { project, object_attributes: { name: 'ci', expires_at: '2026-01-26' } }, 'Site', ':alert: The access token `ci` expires: 2026-01-26'],
    ['Resource Access Token Hook', { group: { group_name: 'Acme' }, object_attributes: { name: 'ci', expires_at: '2026-01-26' } }, 'Acme', ':alert: The access token `ci` expires: 2026-01-26'],
    ['Vulnerability Hook', { object_attributes: { title: 'Oh', severity: 'high', state: 'detected', url: `${site}/-/security/vulnerabilities/1` } }, 'site / vulnerabilities',
      `Vulnerability [Oh](${site}/-/security/vulnerabilities/1) is detected (severity: high).`],
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

describe('a work item', () => {
  const url = `${site}/-/work_items/7`
  const work = (type: string | undefined, action: string) => ({
    ...issue(action, { type, url, description: '' }),
    object_kind: 'work_item',
    event_type: 'work_item',
  })
  // biome-ignore format: a table reads best in columns
  const words: [type: string | undefined, word: string][] = [
    ['Task', 'task'], ['Incident', 'incident'], ['Objective', 'objective'], ['Key Result', 'key result'],
    ['Issue', 'issue'], ['toString', 'work item'], [undefined, 'work item'],
  ]
  for (const [type, word] of words) {
    for (const [action, verb] of Object.entries({ open: 'opened', close: 'closed' })) {
      for (const event of ['Issue Hook', 'Confidential Issue Hook', 'Work Item Hook']) {
        test(`of the type ${type} is named a ${word} when it is ${verb} (${event})`, () => {
          const said = gitlabNote(event, work(type, action))
          // Comments do not tell the type: all of them are under the topic of an issue.
          const name = event === 'Work Item Hook' ? 'Issue Hook' : event
          assert.deepEqual(said?.events?.slice(0, 2), [name, `${name} ${action}`])
          assert.equal(said?.topic, onIssue)
          assert.equal(said?.content, `Ada ${verb} [${word} #7](${url}).`)
        })
      }
    }
  }

  test('is named once its comments come', () => {
    const said = gitlabNote('Note Hook', note('WorkItem', { work_item: attributes }))
    assert.equal(said?.topic, onIssue)
  })

  const groupUrl = 'https://gitlab.example/groups/big/acme/-/epics/7'
  const groups: [what: string, place: object][] = [
    ['named as in the events of groups', { group: { group_name: 'acme' } }],
    ['named as in the API', { group: { name: 'acme', full_path: 'big/acme' } }],
    ['that only the address names', { project: null }],
  ]
  for (const [what, place] of groups) {
    test(`can be the epic of a group ${what}`, () => {
      const body = { ...work('Epic', 'close'), project: undefined, ...place }
      const said = gitlabNote('Issue Hook', {
        ...body,
        object_attributes: { ...body.object_attributes, url: groupUrl },
      })
      assert.equal(said?.topic, 'acme / epic #7 It breaks')
      assert.equal(said?.content, `Ada closed [epic #7](${groupUrl}).`)
    })
  }
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
