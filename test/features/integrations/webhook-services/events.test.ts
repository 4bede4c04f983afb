import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findIntegration } from '#features/integrations/webhook-services/list.ts'
import { topicText } from '#features/integrations/webhook-services/rendering.ts'
import { notesAbout } from '#test/support/webhooks.ts'

/** A payload by hand, and what the last message about it has; a null topic: there is no message. */
interface Row {
  readonly service: string
  readonly about: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
  readonly topic: string | null
  readonly has?: readonly string[]
}

const sender = { login: 'ada', html_url: 'https://github.com/ada' }
const repository = {
  name: 'garden',
  full_name: 'acme/garden',
  html_url: 'https://github.com/acme/garden',
}
const hash = '82716f5e4d3c2b1a095978867695a4b2c1e0d6f3'

const github = (event: string, body: object, topic: string | null, ...has: string[]): Row => ({
  service: 'github',
  about: `${event} ${(body as { action?: string }).action ?? ''}`.trim(),
  headers: { 'X-GitHub-Event': event },
  body: { sender, repository, ...body },
  topic,
  has,
})

const pull = {
  number: 7,
  title: 'Water',
  html_url: 'https://github.com/acme/garden/pull/7',
  head: { ref: 'water', label: 'acme:water' },
  base: { ref: 'main', label: 'acme:main' },
}
const issue = { number: 3, title: 'Dry', html_url: 'https://github.com/acme/garden/issues/3' }

const project = { name: 'garden', web_url: 'https://gitlab.com/acme/garden' }
const gitlab = (event: string, body: object, topic: string | null, ...has: string[]): Row => ({
  service: 'gitlab',
  about: event,
  headers: { 'X-Gitlab-Event': event },
  body: { user: { name: 'Ada' }, user_name: 'Ada', project, ...body },
  topic,
  has,
})

const cards = (data: object, type: string): object => ({
  action: {
    type,
    memberCreator: { fullName: 'Ada' },
    data: {
      board: { name: 'Garden', shortLink: 'bOaRd123' },
      card: { name: 'Roses', shortLink: 'cArD1234', desc: 'Red', due: null, closed: false },
      ...data,
    },
  },
})
const trello = (type: string, data: object, topic: string | null, ...has: string[]): Row => ({
  service: 'trello',
  about: type,
  body: cards(data, type),
  topic,
  has,
})

const stripe = (type: string, object: object, topic: string | null, ...has: string[]): Row => ({
  service: 'stripe',
  about: type,
  body: { type, data: { object } },
  topic,
  has,
})

const refund = { charge: 'ch_2', amount: 100, currency: 'jpy', status: 'failed' }

const incident = { title: 'Dry', number: 7, html_url: 'https://acme.pagerduty.com/incidents/Q7' }
const pagerduty = (type: string, data: object, topic: string, ...has: string[]): Row => ({
  service: 'pagerduty',
  about: type,
  body: { event: { event_type: `incident.${type}`, agent: { summary: 'Ada' }, data } },
  topic,
  has,
})
/** What was added to an incident. */
const added = (member: object) => ({ incident: { ...incident, summary: 'Dry' }, ...member })

const circleci = (about: string, pipeline: object, ...has: string[]): Row => ({
  service: 'circleci',
  about: `a project ${about}`,
  body: {
    type: 'workflow-completed',
    project: { name: 'garden' },
    workflow: { name: 'build', status: 'success', url: 'https://app.circleci.com/w/7' },
    pipeline: { number: 4, ...pipeline },
  },
  topic: 'garden',
  has: ['pipeline #4', ...has],
})
const built = { checkout_sha: hash, branch: 'main', tag: '' }
const builtBy = { ...built, commit_title: 'Water', commit_author_name: 'Ada' }
const githubUrl = 'https://github.com/acme/garden'

const linear = (about: string, data: object, topic: string, ...has: string[]): Row => ({
  service: 'linear',
  about: `a comment on ${about}`,
  body: {
    type: 'Comment',
    action: 'create',
    data: { body: 'Nice', user: { name: 'Ada' }, ...data },
  },
  topic,
  has: [...has, 'Nice'],
})

const story = {
  id: 11,
  entity_type: 'story',
  action: 'update',
  name: 'Roses',
  app_url: 'https://app.shortcut.com/garden/story/11',
}
const shortcut = (about: string, changes: object, references: object[], ...has: string[]): Row => ({
  service: 'clubhouse',
  about,
  body: { actions: [{ ...story, changes }], references },
  topic: has.length > 0 ? 'Roses' : null,
  has,
})

const talker = { type: 'lead', name: null, pseudonym: 'Green Bus', email: null }

const rows: readonly Row[] = [
  github(
    'pull_request',
    { action: 'synchronize', pull_request: pull },
    'garden / PR #7 Water',
    pull.html_url,
    '`water`',
  ),
  github(
    'pull_request',
    { action: 'closed', pull_request: { ...pull, merged: false } },
    'garden / PR #7 Water',
    'closed without merging',
  ),
  github(
    'pull_request',
    {
      action: 'review_requested',
      pull_request: pull,
      requested_team: { name: 'Gardeners', html_url: 'https://github.com/orgs/acme/teams/g' },
    },
    'garden / PR #7 Water',
    'https://github.com/orgs/acme/teams/g',
  ),
  github(
    'issue_comment',
    {
      action: 'deleted',
      issue: { ...issue, pull_request: {} },
      comment: { html_url: `${issue.html_url}#c1`, body: 'Oh' },
    },
    'garden / PR #3 Dry',
    `${issue.html_url}#c1`,
    '~~Oh~~',
  ),
  github(
    'issues',
    {
      action: 'milestoned',
      issue,
      milestone: { title: 'May', html_url: 'https://github.com/acme/garden/milestone/1' },
    },
    'garden / issue #3 Dry',
    'https://github.com/acme/garden/milestone/1',
    sender.html_url,
  ),
  github(
    'gollum',
    {
      pages: [
        { action: 'created', title: 'Soil', html_url: 'https://github.com/acme/garden/wiki/Soil' },
        { action: 'edited', title: 'Sun', html_url: 'https://github.com/acme/garden/wiki/Sun' },
      ],
    },
    'garden / wiki pages',
    'https://github.com/acme/garden/wiki/Soil',
    'https://github.com/acme/garden/wiki/Sun',
  ),
  github(
    'status',
    {
      sha: hash,
      state: 'pending',
      target_url: 'https://ci.example.com/1',
      commit: { html_url: `https://github.com/acme/garden/commit/${hash}` },
    },
    'garden',
    'https://ci.example.com/1',
    `https://github.com/acme/garden/commit/${hash}`,
  ),
  github(
    'deployment_status',
    { deployment: { environment: 'production' }, deployment_status: { state: 'success' } },
    'garden / Deployment on production',
  ),
  ...['parent_issue_added', 'parent_issue_removed'].map((action) =>
    github('sub_issues', { action, parent_issue: issue, sub_issue: issue }, null),
  ),
  ...['blocking_added', 'blocking_removed'].map((action) =>
    github('issue_dependencies', { action, blocked_issue: issue, blocking_issue: issue }, null),
  ),
  github('check_run', { action: 'created', check_run: { status: 'queued' } }, null),
  github('ping', { repository: undefined, organization: { login: 'acme' } }, 'acme'),
  github('repository_vulnerability_alert', { action: 'create' }, null),
  gitlab(
    'Tag Push Hook',
    {
      ref: 'refs/tags/v1',
      before: hash,
      after: '0'.repeat(40),
      checkout_sha: null,
      commits: [],
    },
    'garden',
    'removed tag',
  ),
  gitlab(
    'System Hook',
    {
      event_name: 'push',
      ref: 'refs/heads/main',
      before: '0'.repeat(40),
      after: hash,
      commits: [],
    },
    'garden / main',
    `https://gitlab.com/acme/garden/-/compare/${'0'.repeat(40)}...${hash}`,
  ),
  gitlab(
    'Merge Request Hook',
    {
      object_attributes: {
        iid: 5,
        title: 'Water',
        url: 'https://gitlab.com/acme/garden/-/merge_requests/5',
        action: 'update',
        oldrev: hash,
      },
    },
    'garden / MR #5 Water',
    'added commits to',
    'https://gitlab.com/acme/garden/-/merge_requests/5',
  ),
  gitlab(
    'Note Hook',
    {
      object_attributes: {
        note: 'Nice',
        noteable_type: 'Snippet',
        url: 'https://gitlab.com/acme/garden/-/snippets/9#note_1',
      },
      snippet: { id: 9, title: 'Seeds' },
    },
    'garden / snippet #9 Seeds',
    'https://gitlab.com/acme/garden/-/snippets/9)',
    '#note_1',
  ),
  gitlab(
    'Pipeline Hook',
    {
      object_attributes: { id: 31, ref: 'main', status: 'failed' },
      builds: [{ id: 380, name: 'test', status: 'success', artifacts_file: { filename: 'a.zip' } }],
    },
    'garden / main',
    'https://gitlab.com/acme/garden/-/pipelines/31',
    'https://gitlab.com/acme/garden/-/jobs/380/artifacts/download',
  ),
  trello('createList', { list: { name: 'May' } }, 'Garden', 'https://trello.com/b/bOaRd123'),
  trello('updateBoard', { old: { name: 'Yard' } }, 'Garden', 'https://trello.com/b/bOaRd123'),
  trello('updateBoard', { old: { prefs: { background: 'red' } } }, null),
  trello('updateCard', { old: { desc: '' } }, 'Garden', 'https://trello.com/c/cArD1234', 'Red'),
  trello('updateCard', { old: { closed: true } }, 'Garden', 'reopened'),
  trello('updateCard', { old: { due: '2026-05-01T10:00:00Z' } }, 'Garden', 'removed the due date'),
  trello('updateCard', { old: { pos: 3, dueComplete: false } }, null),
  trello(
    'updateCheckItemStateOnCard',
    { checklist: { name: 'To do' }, checkItem: { name: 'Dig', state: 'incomplete' } },
    'Garden',
    'unchecked',
    'https://trello.com/c/cArD1234',
  ),
  stripe(
    'charge.refund.updated',
    { id: 're_1', charge: 'ch_2', amount: 100, currency: 'jpy', status: 'failed' },
    'refunds',
    'https://dashboard.stripe.com/refunds/re_1',
    'https://dashboard.stripe.com/charges/ch_2',
    '100 JPY',
  ),
  ...['refund.created', 'refund.updated', 'refund.failed', 'charge.refund.updated'].map((type) =>
    stripe(
      type,
      { ...refund, id: 're_1', failure_reason: 'lost_or_stolen_card', customer: 'cus_9' },
      'refunds',
      'https://dashboard.stripe.com/refunds/re_1',
      'https://dashboard.stripe.com/charges/ch_2',
      '100 JPY (failed, lost or stolen card)',
    ),
  ),
  ...['reopened', 'reassigned', 'unacknowledged'].map((type) =>
    pagerduty(type, incident, 'Incident Dry (#7)', incident.html_url, 'by Ada'),
  ),
  pagerduty(
    'priority_updated',
    { ...incident, priority: { summary: 'P1' } },
    'Incident Dry (#7)',
    'now P1',
  ),
  pagerduty('annotated', added({ content: 'So dry' }), 'Incident Dry', 'a note', 'So dry'),
  pagerduty('status_update_published', added({ message: 'Soon' }), 'Incident Dry', 'Soon'),
  ...['responder.added', 'responder.replied'].map((type) =>
    pagerduty(
      type,
      added({ user: { summary: 'Grace' }, state: 'pending', message: 'Help' }),
      'Incident Dry',
      '(Grace, pending)',
      'Help',
    ),
  ),
  {
    service: 'pagerduty',
    about: 'the event of a test',
    body: { event: { event_type: 'pagey.ping', data: { type: 'ping', message: 'Hello' } } },
    topic: 'PagerDuty',
    has: ['was set up'],
  },
  circleci(
    'that OAuth connects',
    {
      vcs: { provider_name: 'github', target_repository_url: githubUrl, revision: hash, tag: 'v1' },
    },
    `(${githubUrl}/commit/${hash})`,
    '**Tag**: `v1`',
  ),
  circleci(
    'on a host of which nothing is known',
    { vcs: { provider_name: 'toString', target_repository_url: githubUrl, revision: hash } },
    `**Commit**: ${hash.slice(0, 11)}`,
  ),
  circleci(
    'that the app of GitHub connects',
    { trigger_parameters: { github_app: { ...builtBy, repo_url: githubUrl }, git: built } },
    `[${hash.slice(0, 11)}: Water](${githubUrl}/commit/${hash})`,
    '**Branch**: `main`',
    '**Author**: Ada',
  ),
  circleci(
    'that GitLab connects',
    {
      trigger_parameters: { gitlab: { ...builtBy, web_url: 'https://gitlab.com/a/g' }, git: built },
    },
    `[${hash.slice(0, 11)}: Water](https://gitlab.com/a/g/-/commit/${hash})`,
  ),
  circleci(
    'that Bitbucket connects from a server of its own',
    { trigger_parameters: { bitbucket_dc: builtBy, git: built } },
    `**Commit**: ${hash.slice(0, 11)}: Water`,
  ),
  circleci('that something else triggers', { trigger_parameters: { git: built } }, '`main`'),
  circleci('of which nothing is told', {}),
  linear('an issue', { issueId: 'i-1', issue: { title: 'Roses' } }, 'i-1', '**Roses**'),
  linear(
    'an update of a project',
    { projectUpdateId: 'p-1', projectUpdate: { project: { name: 'Roof' } } },
    'Roof',
    'a project update of **Roof**',
  ),
  linear('an update of a nameless project', { projectUpdateId: 'p-1' }, 'p-1', 'a project update'),
  linear('an update of an initiative', { initiativeUpdateId: 'u-1' }, 'u-1', 'an initiative'),
  linear(
    'a document',
    { documentContentId: 'd-1', documentContent: { document: { title: 'Plan' } } },
    'Plan',
    'a document **Plan**',
  ),
  stripe(
    'charge.failed',
    { id: 'ch_2', amount: 1200, currency: 'usd', customer: null, failure_code: 'card_declined' },
    'charges',
    '$12.00',
    'card_declined',
  ),
  stripe(
    'customer.deleted',
    { id: 'cus_9', email: 'ada@example.com' },
    'cus_9',
    'https://dashboard.stripe.com/customers/cus_9',
  ),
  stripe(
    'customer.subscription.trial_will_end',
    { id: 'sub_4', customer: 'cus_9', trial_end: 1_793_000_000 },
    'cus_9',
    'https://dashboard.stripe.com/subscriptions/sub_4',
  ),
  stripe(
    'customer.discount.deleted',
    { customer: 'cus_9', coupon: { id: 'SPRING', name: 'Spring' } },
    'cus_9',
    'https://dashboard.stripe.com/coupons/SPRING',
  ),
  stripe(
    'customer.discount.created',
    { customer: 'cus_9', source: { type: 'coupon', coupon: 'SPRING' } },
    'cus_9',
    'https://dashboard.stripe.com/coupons/SPRING',
  ),
  stripe(
    'customer.subscription.created',
    { id: 'sub_4', customer: 'cus_9', items: { data: [{ plan: { id: 'plan_1' }, quantity: 3 }] } },
    'cus_9',
    'https://dashboard.stripe.com/plans/plan_1',
    '3',
  ),
  {
    service: 'stripe',
    about: 'an invoice that is paid now',
    body: {
      type: 'invoice.updated',
      data: {
        object: { id: 'in_1', customer: 'cus_9', status: 'paid', amount_remaining: 0 },
        previous_attributes: { status: 'open' },
      },
    },
    topic: 'cus_9',
    has: ['is now paid'],
  },
  stripe('payout.paid', { id: 'po_1' }, null),
  stripe('invoice_payment.paid', { id: 'inpay_1' }, null),
  shortcut(
    'a new file',
    { file_ids: { adds: [4] } },
    [{ id: 4, entity_type: 'file', name: 'a.pdf' }],
    story.app_url,
    'a.pdf',
  ),
  shortcut('a file that is gone', { file_ids: { removes: [4] } }, []),
  shortcut('a label that is gone', { label_ids: { removes: [4] } }, []),
  shortcut('another type', { story_type: { old: 'bug', new: 'feature' } }, [], story.app_url),
  {
    service: 'intercom',
    about: 'a visitor',
    body: {
      topic: 'visitor.signed_up',
      data: { item: { type: 'visitor', email: 'v@example.com' } },
    },
    topic: 'Visitor: v@example.com',
  },
  {
    service: 'intercom',
    about: 'a conversation with somebody who has no name',
    body: { topic: 'conversation.user.created', data: { item: { user: talker } } },
    topic: 'Lead: Green Bus',
  },
  {
    service: 'jira',
    about: 'a comment whose issue has no address',
    body: {
      webhookEvent: 'comment_created',
      comment: {
        self: 'https://acme.atlassian.net/rest/api/2/issue/10007/comment/3',
        body: 'Soon',
        author: { displayName: 'Ada' },
      },
      issue: { key: 'G-7', fields: { summary: 'Dry' } },
    },
    topic: 'G-7: Dry',
    has: ['https://acme.atlassian.net/browse/G-7'],
  },
  {
    service: 'jira',
    about: 'a comment without an issue',
    body: {
      webhookEvent: 'comment_updated',
      comment: {
        self: 'https://acme.atlassian.net/rest/api/2/issue/10007/comment/3',
        body: 'Soon',
        author: { displayName: 'Ada' },
      },
    },
    topic: '10007',
  },
  {
    service: 'ntfy',
    about: 'nothing but a topic',
    body: { topic: 'garden' },
    topic: 'garden',
    has: ['triggered'],
  },
  {
    service: 'ntfy',
    about: 'buttons, of which only views are links',
    body: {
      topic: 'garden',
      message: 'Dry',
      actions: [
        { action: 'view', label: 'Look', url: 'https://garden.example.com/look' },
        { action: 'view', label: 'See', url: 'https://garden.example.com/see' },
      ],
    },
    topic: 'garden',
    has: ['https://garden.example.com/look', 'https://garden.example.com/see'],
  },
  {
    service: 'alertmanager',
    about: 'alerts that were left out',
    body: {
      status: 'firing',
      truncatedAlerts: 7,
      alerts: [{ status: 'firing', labels: { instance: 'bed', alertname: 'Dry' } }],
    },
    topic: 'bed',
    has: ['left out 7 more'],
  },
  {
    service: 'rundeck',
    about: 'a run that failed and is tried again',
    body: {
      trigger: 'retryablefailure',
      execution: {
        id: 5,
        status: 'failed-with-retry',
        href: 'https://rundeck.example.com/execution/5',
        job: { name: 'Backup', permalink: 'https://rundeck.example.com/job/1' },
      },
    },
    topic: 'Backup',
    has: ['https://rundeck.example.com/execution/5', 'https://rundeck.example.com/job/1'],
  },
  {
    service: 'semaphore',
    about: 'a tag',
    body: {
      revision: {
        reference_type: 'tag',
        tag: { name: 'v1/x' },
        commit_sha: hash,
        commit_message: 'Water',
        sender: { login: 'ada' },
      },
      repository: { url: 'https://github.com/acme/garden' },
      project: { name: 'garden' },
      organization: { name: 'acme' },
      workflow: { id: 'w1' },
      pipeline: { name: 'Build', result: 'passed' },
    },
    topic: 'garden',
    has: [
      'https://acme.semaphoreci.com/workflows/w1',
      'https://github.com/acme/garden/tree/v1/x',
      `https://github.com/acme/garden/commit/${hash}`,
      'https://github.com/ada',
    ],
  },
]

test('ntfy: buttons that call an address are no links, and headers may begin with X-', () => {
  const ntfy = findIntegration('ntfy')
  assert.ok(ntfy)
  const actions = [{ action: 'http', label: 'Open the door', url: 'https://door.example.com' }]
  const [note] = notesAbout(ntfy, { topic: 'garden', message: 'Ring', actions })
  assert.ok(note && !note.content.includes('https://'))
  const [text] = notesAbout(ntfy, 'Ring', { headers: { 'X-Title': 'Door', 'X-Priority': '5' } })
  assert.equal(text?.topic, 'Door')
  assert.match(text.content, /:alert: \*\*Ring\*\*/)
})

test('WordPress: a hook of another name is refused', () => {
  const wordpress = findIntegration('wordpress')
  assert.ok(wordpress)
  assert.throws(() => notesAbout(wordpress, { hook: 'delete_post' }), /hook 'delete_post'/)
})

for (const { service, about, headers = {}, body, topic, has = [] } of rows) {
  test(`${service}: ${about} ${topic === null ? 'is no message' : `is under "${topic}"`}`, () => {
    const known = findIntegration(service)
    assert.ok(known)
    const note = notesAbout(known, body, { headers }).at(-1)
    assert.equal(note && topicText(note.topic, 60), topic ?? undefined)
    for (const part of has) assert.ok(note?.content.includes(part), `${part} in ${note?.content}`)
  })
}

test('Travis CI says nothing about pull requests, unless the URL asks for them', () => {
  const travis = findIntegration('travis')
  assert.ok(travis)
  const body = { ...travis.example.body, type: 'pull_request' }
  const countWith = (options: Readonly<Record<string, string>>) =>
    notesAbout(travis, body, { options }).length
  assert.deepEqual([countWith({}), countWith({ ignore_pull_requests: 'true' })], [0, 0])
  assert.equal(countWith({ ignore_pull_requests: 'false' }), 1)
})
