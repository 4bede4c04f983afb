import { integration, unsupported } from '#features/integrations/webhook-services/declaration.ts'
import { inline, link } from '#features/integrations/webhook-services/format.ts'
import { chosen } from '#features/integrations/webhook-services/signs.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

/** The things that events are about; the longer names first, as some begin with others. */
const kinds: readonly (readonly [prefix: string, name: string])[] = [
  ['question_answer', 'answer'],
  ['question', 'question'],
  ['document', 'document'],
  ['message', 'message'],
  ['todolist', 'to-do list'],
  ['todo', 'to-do'],
  ['comment', 'comment'],
]

const verbs: Readonly<Record<string, string>> = {
  created: 'created',
  title_changed: 'changed the title of',
  subject_changed: 'changed the subject of',
  name_changed: 'changed the name of',
  content_changed: 'changed the content of',
  assignment_changed: 'changed who does',
  due_on_changed: 'changed the due date of',
  active: 'activated',
  archived: 'archived',
  unarchived: 'unarchived',
  trashed: 'trashed',
  untrashed: 'restored',
  completed: 'completed',
  uncompleted: 'reopened',
  publicized: 'made public',
  inactive: 'deactivated',
  paused: 'paused',
  unpaused: 'resumed',
  moved: 'moved',
  copied: 'copied',
}

/** `…_changed` reports a change of anything that has a name. */
function verbOf(action: string): string | undefined {
  const [, field] = /^([a-z_]{1,40})_changed$/.exec(action) ?? []
  return chosen(verbs, action) ?? (field && `changed the ${inline(field.replaceAll('_', ' '))} of`)
}

/** @source basecamp/bc3-api, "Webhooks" */
export const basecamp = integration({
  name: 'basecamp',
  displayName: 'Basecamp',
  category: 'Project management',
  eventTypes: kinds.flatMap(([prefix]) => Object.keys(verbs).map((verb) => `${prefix}_${verb}`)),
  sendsLongPayloads: true,
  steps: steps([
    'In the project, open **⋯ → Settings → Webhooks**, and add one.',
    'Paste `{url}` as **Payload URL**, and choose what it is called for.',
  ]),
  example: {
    body: {
      kind: 'todo_created',
      creator: { name: 'Ada' },
      recording: {
        title: 'Water the roses',
        app_url: 'https://3.basecamp.com/1/buckets/2/todos/3',
        bucket: { name: 'Garden' },
        parent: { title: 'This week', app_url: 'https://3.basecamp.com/1/buckets/2/todolists/4' },
      },
    },
    topic: 'Garden',
  },
  render({ payload }) {
    const event = payload.text('kind')
    const [prefix = '', kind] = kinds.find(([name]) => event.startsWith(`${name}_`)) ?? []
    const verb = verbOf(event.slice(prefix.length + 1))
    if (kind === undefined || verb === undefined) return unsupported(event)
    const item = payload.object('recording')
    const who = inline(payload.firstText('creator.name') ?? item.text('creator.name'))
    const title = link(item.text('title'), item.maybeText('app_url'))
    const isReply = prefix === 'comment' || prefix === 'question_answer'
    const parent = item.maybeObject('parent')
    const on =
      isReply && parent
        ? link(parent.maybeText('title') ?? 'it', parent.maybeText('app_url'))
        : undefined
    const content =
      on === undefined
        ? `${who} ${verb} the ${kind} ${title}.`
        : event.endsWith('_created')
          ? `${who} ${link(prefix === 'comment' ? 'commented' : 'answered', item.maybeText('app_url'))} ${prefix === 'comment' ? 'on ' : ''}${on}.`
          : `${who} ${verb} the ${link(kind, item.maybeText('app_url'))} to ${on}.`
    return { topic: item.text('bucket.name'), content, events: [event] }
  },
})
