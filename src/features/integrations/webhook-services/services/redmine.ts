import { integration, unsupported } from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import {
  bullet,
  inline,
  lines,
  link,
  listed,
  paragraphs,
  quoted,
} from '#features/integrations/webhook-services/format.ts'
import { chosen } from '#features/integrations/webhook-services/signs.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

function person(fields: Fields, path: string): string | undefined {
  const names = ['firstname', 'lastname'].flatMap(
    (name) => fields.firstText(`${path}.${name}`) ?? [],
  )
  const text = names.join(' ') || fields.firstText(`${path}.login`)
  return text === undefined ? undefined : inline(text)
}

/** @source phanan/redmine_webhook, README */
export const redmine = integration({
  name: 'redmine',
  displayName: 'Redmine',
  category: 'Project management',
  eventTypes: ['opened', 'updated'],
  sendsLongPayloads: true,
  steps: steps([
    'Install the plugin `redmine_webhook`, and restart Redmine.',
    'In the project, open **Settings → WebHook**, paste `{url}`, and save.',
  ]),
  example: {
    body: {
      payload: {
        action: 'opened',
        url: 'https://redmine.example.com/issues/7',
        issue: {
          id: 7,
          subject: 'Water the roses',
          description: 'They were dry on Monday.',
          project: { name: 'Garden' },
          tracker: { name: 'Task' },
          status: { name: 'New' },
          priority: { name: 'High' },
          author: { firstname: 'Ada', lastname: 'Lovelace' },
        },
      },
    },
    topic: 'Garden - Task #7: Water the roses',
  },
  render({ payload }) {
    const action = payload.text('payload.action')
    const verb = chosen({ opened: 'opened', updated: 'updated' }, action)
    if (verb === undefined) return unsupported(action)
    const about = payload.object('payload')
    const issue = about.object('issue')
    const name = `${issue.text('tracker.name')} #${issue.text('id')}`
    const title = issue.text('subject')
    const who = person(about, 'journal.author') ?? person(issue, 'author') ?? 'Somebody'
    const at = (path: string) => inline(issue.maybeText(path) ?? '')
    const isOpened = action === 'opened'
    const changes = about
      .maybeList('journal.details')
      .filter((detail) => detail.maybeText('prop_key') !== 'description')
      .map((detail) => {
        const value = (path: string) => inline(detail.someText(path) ?? 'none')
        return bullet(
          detail.maybeText('prop_key')?.replaceAll('_', ' ') ?? 'change',
          `${value('old_value')} → ${value('value')}`,
        )
      })
    return {
      topic: `${issue.text('project.name')} - ${name}: ${title}`,
      content: paragraphs(
        `${who} ${verb} ${link(`${name}: ${title}`, about.maybeText('url'))}.`,
        isOpened
          ? lines(
              bullet('Status', at('status.name')),
              bullet('Priority', at('priority.name')),
              bullet('Assignee', person(issue, 'assignee')),
            )
          : listed(changes, (line) => line),
        quoted(isOpened ? issue.maybeText('description') : about.maybeText('journal.notes')),
      ),
      events: [action],
    }
  },
})
