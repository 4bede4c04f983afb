import { integration, unsupported } from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import {
  bullet,
  inline,
  lines,
  link,
  paragraphs,
  quoted,
  urlPart,
} from '#features/integrations/webhook-services/format.ts'
import { hmacHeader } from '#features/integrations/webhook-services/signatures.ts'
import { chosen } from '#features/integrations/webhook-services/signs.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'
import { sentText } from '#translations/translate.ts'

const verbs: Readonly<Record<string, string>> = {
  created: 'created',
  updated: 'updated',
  comment: 'commented on',
  internal_comment: 'commented on',
}

/** The page of a work package, whose own address is that of the API. */
function pageOf(item: Fields): string | undefined {
  const href = item.maybeText('_links.self.href') ?? ''
  const origin = /^https?:\/\/[^/]+/.exec(href)?.[0]
  return origin && `${origin}/work_packages/${urlPart(item.text('id'))}`
}

const name = (item: Fields, path: string) => {
  const text = item.firstText(`_embedded.${path}.name`, `_links.${path}.title`)
  return text === undefined ? undefined : inline(text)
}

/** @source opf/openproject, `modules/webhooks/app/workers/represented_webhook_job.rb` */
export const openproject = integration({
  name: 'openproject',
  displayName: 'OpenProject',
  category: 'Project management',
  eventTypes: [
    ...['work_package:created', 'work_package:updated', 'work_package_comment:comment'],
    ...['work_package_comment:internal_comment', 'project:created', 'project:updated'],
    ...['time_entry:created', 'attachment:created'],
  ],
  sendsLongPayloads: true,
  signature: hmacHeader(sentText('Signature secret of the webhook'), 'x-op-signature', {
    prefix: 'sha1=',
    hash: 'sha1',
  }),
  steps: steps([
    'Open **Administration → API and webhooks → Webhooks**, and add a webhook.',
    'Paste `{url}` as **Payload URL**, and choose events and projects.',
    'If the bot has a secret, enter the same as **Signature secret**.',
  ]),
  example: {
    body: {
      action: 'work_package:created',
      work_package: {
        id: 7,
        subject: 'Water the roses',
        _embedded: {
          author: { name: 'Ada' },
          project: { name: 'Garden' },
          type: { name: 'Task' },
          status: { name: 'New' },
        },
        _links: { self: { href: 'https://openproject.example.com/api/v3/work_packages/7' } },
      },
    },
    topic: 'Garden',
  },
  render({ payload }) {
    const action = payload.text('action')
    const [kind = '', event = ''] = action.split(':', 2)
    const verb = chosen(verbs, event)
    if (verb === undefined) return unsupported(action)
    const events = [action]
    switch (kind) {
      case 'work_package':
      case 'work_package_comment': {
        const activity =
          payload.maybeObject('activity') ?? payload.maybeObject('work_package_comment')
        const item =
          payload.maybeObject('work_package') ??
          activity?.maybeObject('_embedded.workPackage') ??
          payload.object('work_package')
        const who =
          (activity && (name(activity, 'user') ?? name(activity, 'author'))) ??
          name(item, 'author') ??
          'Somebody'
        const type = name(item, 'type') ?? 'work package'
        const target = link(`#${item.text('id')} ${item.text('subject')}`, pageOf(item))
        const facts = lines(
          bullet('Status', name(item, 'status')),
          bullet('Assignee', name(item, 'assignee')),
        )
        const body = activity?.firstText('comment.raw')
        const isUpdate = event === 'updated'
        return {
          topic: name(item, 'project') ?? 'OpenProject',
          content: paragraphs(
            isUpdate
              ? `${type} **${target}** was updated.`
              : `${who} ${verb} ${type} **${target}**.`,
            facts,
            quoted(body),
          ),
          events,
        }
      }
      case 'project': {
        const project = payload.text('project.name')
        return {
          topic: project,
          content: `The project **${inline(project)}** was ${verb}.`,
          events,
        }
      }
      case 'time_entry': {
        const item = payload.object('time_entry')
        const hours = item.someText('hours')
        const who = name(item, 'user') ?? 'Somebody'
        const what = name(item, 'workPackage')
        const time = hours === undefined ? 'time' : `time (${inline(hours, 30)})`
        return {
          topic: name(item, 'project') ?? 'OpenProject',
          content: `${who} logged ${time}${what === undefined ? '' : ` for ${what}`}.`,
          events,
        }
      }
      case 'attachment': {
        const item = payload.object('attachment')
        const where = name(item, 'container')
        return {
          topic:
            item.firstText('_embedded.container._embedded.project.name') ??
            name(item, 'project') ??
            'OpenProject',
          content: `${name(item, 'author') ?? 'Somebody'} attached **${inline(item.firstText('fileName', 'title') ?? 'a file')}**${where === undefined ? '' : ` to ${where}`}.`,
          events,
        }
      }
      default:
        return unsupported(action)
    }
  },
})
