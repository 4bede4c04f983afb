import { integration, type Note } from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import { inline, link, quoting } from '#features/integrations/webhook-services/format.ts'
import { hmacHeader } from '#features/integrations/webhook-services/signatures.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'
import { sentText } from '#translations/translate.ts'

/** The objects to which the actions of a payload refer by ID. */
interface Scene {
  readonly actions: readonly Fields[]
  readonly references: readonly Fields[]
}

const bold = (text: string) => `**${inline(text)}**`

/** Something by its ID, among the other actions and the references. */
function find(
  { actions, references }: Scene,
  type: string,
  id: string | undefined,
): Fields | undefined {
  return [...actions, ...references].find(
    (one) => one.maybeText('entity_type') === type && one.maybeText('id') === id,
  )
}

function nameOf(scene: Scene, type: string, id: string | undefined): string {
  return bold(find(scene, type, id)?.firstText('name') ?? 'something')
}

/** The story or epic as a link; epics have no address here. */
function target(item: Fields): string {
  return item.maybeText('entity_type') === 'epic'
    ? `epic ${bold(item.text('name'))}`
    : `story **${link(item.text('name'), item.maybeText('app_url'))}**`
}

type Say = (what: string, change: Fields, scene: Scene, item: Fields) => string | undefined

const moved =
  (field: string, type: string): Say =>
  (what, change, scene) => {
    const [old, now] = [change.maybeText('old'), change.maybeText('new')]
    if (now === undefined) return `The ${what} lost the ${field} ${nameOf(scene, type, old)}.`
    const to = nameOf(scene, type, now)
    return old === undefined
      ? `The ${what} got the ${field} ${to}.`
      : `The ${what} moved from the ${field} ${nameOf(scene, type, old)} to ${to}.`
  }

/** The items that were added to a list of the story; removals are not reported. */
const added =
  (type: string, say: (what: string, item: Fields) => string): Say =>
  (what, change, scene) => {
    const items = change.texts('adds').flatMap((id) => find(scene, type, id) ?? [])
    return items.length === 0
      ? undefined
      : items
          .slice(0, 20)
          .map((item) => say(what, item))
          .join('\n')
  }

/** The sentence about each changed member, which also determines the name of the event. */
const changes: Readonly<Record<string, readonly [event: string, say: Say]>> = {
  archived: [
    'archived',
    (what, change) => `The ${what} was ${change.flag('new') ? 'archived' : 'unarchived'}.`,
  ],
  name: [
    'title',
    (what, change) => `The ${what} was renamed from ${bold(change.maybeText('old') ?? '')}.`,
  ],
  description: [
    'description',
    (what, change) => {
      const now = change.maybeText('new') ?? ''
      if (now === '') return `The description of the ${what} was removed.`
      const verb = change.someText('old') === undefined ? 'added' : 'changed'
      return quoting(`The description of the ${what} was ${verb}`, now)
    },
  ],
  estimate: [
    'estimate',
    (what, change) => {
      const [old, now] = [change.maybeText('old'), change.maybeText('new')]
      if (now === undefined) return `The estimate of the ${what} was removed.`
      const from = old === undefined ? '' : ` from ${inline(old, 20)}`
      return `The estimate of the ${what} changed${from} to **${inline(now, 20)}** points.`
    },
  ],
  story_type: [
    'type',
    (what, change) =>
      `The type of the ${what} changed from ${bold(change.maybeText('old') ?? 'none')} to ${bold(change.maybeText('new') ?? 'none')}.`,
  ],
  state: [
    'state',
    (what, change) =>
      `The state of the ${what} changed from ${bold(change.maybeText('old') ?? 'none')} to ${bold(change.maybeText('new') ?? 'none')}.`,
  ],
  workflow_state_id: ['state', moved('state', 'workflow-state')],
  epic_id: ['epic', moved('epic', 'epic')],
  project_id: ['project', moved('project', 'project')],
  label_ids: [
    'label',
    added(
      'label',
      (what, item) => `The label ${bold(item.text('name'))} was added to the ${what}.`,
    ),
  ],
  branch_ids: [
    'github-branch',
    added(
      'branch',
      (what, item) =>
        `The branch ${link(item.text('name'), item.maybeText('url'))} was linked with the ${what}.`,
    ),
  ],
  pull_request_ids: [
    'github-pull-request',
    added('pull-request', (what, item) => {
      const name = link(
        `#${item.text('number')}${item.has('title') ? ` ${item.text('title')}` : ''}`,
        item.maybeText('url'),
      )
      return `The pull request ${name} was linked with the ${what}.`
    }),
  ],
  file_ids: [
    'attachment',
    (what, change, scene) => {
      const ids = change.texts('adds').slice(0, 20)
      if (ids.length === 0) return undefined
      const names = ids.flatMap(
        (id) => find(scene, 'file', id)?.firstText('name', 'filename') ?? [],
      )
      const files = names.length > 0 ? `: ${names.map(bold).join(', ')}` : ''
      return `${ids.length === 1 ? 'A file was' : `${ids.length} files were`} attached to the ${what}${files}.`
    },
  ],
  comment_ids: [
    'comment',
    (what, change, scene, item) => {
      const type = item.maybeText('entity_type') === 'epic' ? 'epic-comment' : 'story-comment'
      const [comment] = change.texts('adds').flatMap((id) => find(scene, type, id) ?? [])
      return comment && quoting(`New comment on the ${what}`, comment.text('text'))
    },
  ],
  task_ids: [
    'task',
    (what, change, scene) => {
      const task = (path: string) =>
        change
          .texts(path)
          .flatMap((id) => find(scene, 'story-task', id) ?? [])
          .map((one) => bold(one.text('description')))
      const [more, less] = [task('adds'), task('removes')]
      if (more.length > 0) return `The task ${more.join(', ')} was added to the ${what}.`
      return less.length > 0
        ? `The task ${less.join(', ')} was removed from the ${what}.`
        : undefined
    },
  ],
  owner_ids: [
    'owner',
    (what, change, scene) => {
      // If several stories changed together, changes of owners are only a side effect.
      if (scene.actions.length > 1) return undefined
      const names = change
        .texts('adds')
        .flatMap((id) => find(scene, 'member', id)?.firstText('name', 'profile.name') ?? [])
      if (change.texts('adds').length === 0) return undefined
      return `The ${what} got a new owner${names.length > 0 ? `: ${names.map(bold).join(', ')}` : ''}.`
    },
  ],
}

/** The sentence about a task, which belongs to a story. */
function task(item: Fields, scene: Scene): Note | undefined {
  const story = find(scene, 'story', item.maybeText('story_id'))
  if (!story || !item.has('changes.complete')) return undefined
  const verb = item.flag('changes.complete.new') ? 'completed' : 'reopened'
  return {
    topic: story.text('name'),
    content:
      `The task ${bold(item.text('description'))} of ${target(story)} was ${verb} ${verb === 'completed' ? ':tada:' : ''}`
        .trim()
        .replace(/([^:])$/, '$1.'),
    events: ['story-task_update_complete'],
  }
}

function noteOf(item: Fields, scene: Scene): Note | undefined {
  const type = item.text('entity_type')
  const action = item.text('action')
  if (type === 'story-task' && action === 'update') return task(item, scene)
  if (type === 'story-comment' && action === 'update') {
    const story = scene.references.find((one) => one.maybeText('entity_type') === 'story')
    if (!story) return undefined
    const content = quoting(
      `A comment on ${target(story)} was changed`,
      item.maybeText('changes.text.new') ?? item.maybeText('text'),
    )
    return { topic: story.text('name'), content, events: ['story-comment_update'] }
  }
  if (type !== 'story' && type !== 'epic') return undefined
  const topic = item.text('name')
  const what = target(item)
  if (action === 'create') {
    const kind = type === 'epic' ? '' : ` of type ${bold(item.maybeText('story_type') ?? 'story')}`
    const epic = item.has('epic_id')
      ? ` in the epic ${nameOf(scene, 'epic', item.maybeText('epic_id'))}`
      : ''
    const line = `New ${what}${kind}${epic}`
    return {
      topic,
      content: quoting(line, item.maybeText('description')),
      events: [`${type}_create`],
    }
  }
  if (action === 'delete') {
    return { topic, content: `The ${type} ${bold(topic)} was deleted.`, events: [`${type}_delete`] }
  }
  const found = item.entries('changes').flatMap(([name, change]) => {
    const [event, say] = (Object.hasOwn(changes, name) && changes[name]) || []
    const text = say?.(what, change, scene, item)
    return text === undefined ? [] : [{ text, event: `${type}_update_${event}` }]
  })
  return found.length === 0
    ? undefined
    : {
        topic,
        content: found.map(({ text }) => text).join('\n\n'),
        events: found.map(({ event }) => event),
      }
}

/** @source Shortcut developer documentation, "Outgoing webhooks" */
export const clubhouse = integration({
  name: 'clubhouse',
  displayName: 'Shortcut',
  category: 'Project management',
  eventTypes: [
    ...['story', 'epic'].flatMap((type) =>
      [
        'create',
        'delete',
        'update_archived',
        'update_title',
        'update_description',
        'update_state',
        'update_comment',
      ].map((event) => `${type}_${event}`),
    ),
    ...[
      'estimate',
      'type',
      'epic',
      'project',
      'label',
      'owner',
      'task',
      'attachment',
      'github-branch',
      'github-pull-request',
    ].map((event) => `story_update_${event}`),
    'story-task_update_complete',
    'story-comment_update',
  ],
  sendsLongPayloads: true,
  signature: hmacHeader(sentText('Secret of the webhook'), 'payload-signature'),
  steps: steps([
    'Open **Settings → Integrations → Webhooks**, and add one.',
    'Paste `{url}` as **Payload URL**. If the bot has a secret, enter the same.',
  ]),
  example: {
    body: {
      id: '595285dc-9c43-4b9c-a1e6-0cd9aff5b084',
      actions: [
        {
          id: 7,
          entity_type: 'story',
          action: 'create',
          name: 'Water the roses',
          story_type: 'chore',
          description: 'They were dry on Monday.',
          app_url: 'https://app.shortcut.com/garden/story/7',
        },
      ],
    },
    topic: 'Water the roses',
  },
  render({ payload }) {
    const scene = { actions: payload.list('actions'), references: payload.maybeList('references') }
    return scene.actions.flatMap((item) => noteOf(item, scene) ?? [])
  },
})
