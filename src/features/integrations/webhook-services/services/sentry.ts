import { stateOf, stateSign } from '#features/integrations/webhook-services/alerts.ts'
import {
  type DeliveryResult,
  integration,
  type Note,
  unsupported,
} from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import {
  bullet,
  code,
  codeBlock,
  inline,
  lines,
  link,
  paragraphs,
  quoted,
  timestamp,
} from '#features/integrations/webhook-services/format.ts'
import { hmacHeader } from '#features/integrations/webhook-services/signatures.ts'
import { chosen } from '#features/integrations/webhook-services/signs.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'
import { sentText } from '#translations/translate.ts'

const languages: Readonly<Record<string, string>> = {
  go: 'go',
  java: 'java',
  javascript: 'javascript',
  node: 'javascript',
  python: 'python',
  ruby: 'ruby',
}

/** The newest version of the payload's form. */
const pythonVersion = 7

const time = (text: string | undefined) => timestamp(text) ?? (text ? code(text) : undefined)

/** The place in the source where an exception arose: the last frame of the file that Sentry names. */
function frameOf(event: Fields): Fields | undefined {
  const values = event.maybeList('exception.values')
  const frames = values
    .map((value) => value.maybeList('stacktrace.frames'))
    .filter(({ length }) => length)
  const last = frames.at(-1) ?? []
  const file = event.maybeText('metadata.filename')
  const named = last.filter((frame) => frame.maybeText('filename') === file)
  return named.at(-1) ?? (file === undefined ? last.at(-1) : undefined)
}

function contextOf(frame: Fields, language: string): string {
  const around = (path: string) => frame.texts(path).slice(0, 10)
  const line = frame.maybeText('context_line')
  if (line === undefined) return ''
  return codeBlock(
    [
      ...around('pre_context').map((text) => `     ${text}`),
      `---> ${line}`,
      ...around('post_context').map((text) => `     ${text}`),
    ].join('\n'),
    language,
    2000,
  )
}

function eventNote(event: Fields, url: string | undefined): DeliveryResult {
  const title = event.firstText('title') ?? 'Event'
  const platform = event.maybeText('platform') ?? ''
  const version = event.maybeNumber('version') ?? pythonVersion
  const isSample = title.startsWith('This is an example Python exception')
  if (platform === 'python' && version < pythonVersion && !isSample) {
    return unsupported(`Raven SDK`)
  }
  const frame = frameOf(event)
  const seconds = event.maybeNumber('timestamp') ?? event.maybeNumber('received')
  const at =
    event.someText('datetime') ?? (seconds === undefined ? undefined : new Date(seconds * 1000))
  const file = frame?.firstText('filename') ?? event.someText('metadata.filename')
  return {
    topic: title,
    content: paragraphs(
      `**New ${event.has('exception') ? 'exception' : 'message event'}:** ${link(title, url)}`,
      lines(
        bullet('Level', inline(event.maybeText('level') ?? 'unknown')),
        bullet('Time', at instanceof Date ? timestamp(at.getTime()) : time(at)),
        bullet('File', file === undefined ? undefined : code(file)),
      ),
      frame && contextOf(frame, chosen(languages, platform) ?? ''),
    ),
    events: ['event', 'event_alert'],
  }
}

const issueVerbs: Readonly<Record<string, string>> = {
  created: 'was created',
  resolved: 'was resolved',
  assigned: 'was assigned',
  ignored: 'was ignored',
  archived: 'was archived',
  unresolved: 'is unresolved again',
}

function issueNote(payload: Fields, issue: Fields): DeliveryResult {
  const action = payload.text('action')
  const verb = chosen(issueVerbs, action)
  if (verb === undefined) return unsupported(`issue ${action}`)
  const title = issue.text('title')
  const assigned = issue.maybeObject('assignedTo')
  const team = assigned?.maybeText('type') === 'team' ? 'the team ' : ''
  const whom = assigned ? `${team}${inline(assigned.maybeText('name') ?? 'somebody')}` : undefined
  const by = payload.someText('actor.name')
  const to = action === 'assigned' && whom !== undefined ? ` to ${whom}` : ''
  const name = link(title, issue.firstText('permalink', 'web_url'))
  return {
    topic: title,
    content: paragraphs(
      `Issue **${name}** ${verb}${to}${by === undefined ? '' : ` by ${inline(by)}`}.`,
      action === 'created' &&
        lines(
          bullet('Level', inline(issue.maybeText('level') ?? 'unknown')),
          bullet('Time', time(issue.someText('lastSeen'))),
          bullet('Assignee', whom),
        ),
    ),
    events: [`issue_${action}`, 'issue'],
  }
}

function metricNote(payload: Fields): Note {
  const action = payload.maybeText('action') ?? 'warning'
  const title = payload.firstText('data.description_title') ?? 'Metric alert'
  return {
    topic: title,
    content: paragraphs(
      `${stateSign(stateOf(action))} ${link(title, payload.maybeText('data.web_url'))}`,
      quoted(payload.maybeText('data.description_text')),
    ),
    events: ['metric_alert', `metric_alert_${action}`],
  }
}

function commentNote(payload: Fields): Note {
  const who = inline(payload.firstText('actor.name') ?? 'Somebody')
  const project = payload.firstText('data.project_slug') ?? 'Sentry'
  const body = quoted(payload.maybeText('data.comment'))
  return {
    topic: project,
    content: paragraphs(`${who} commented on an issue:`, body),
    events: ['comment'],
  }
}

/** The form that the old plugin and its predecessors send. */
function pluginNote(payload: Fields): DeliveryResult {
  const url = payload.text('url')
  const event = payload.maybeObject('event')
  if (event?.has('title') && event.has('event_id')) {
    const base = url.split('?', 1)[0] ?? url
    return eventNote(event, `${base}events/${event.text('event_id')}/`)
  }
  return {
    topic: payload.text('project_name'),
    content: paragraphs(
      `**New ${inline(payload.text('level'), 30)}:** ${link('see it in Sentry', url)}`,
      quoted(payload.text('message')),
    ),
    events: ['event'],
  }
}

/** @source Sentry documentation, "Integration Platform: Webhooks" (read on 2026-11-23) */
export const sentry = integration({
  name: 'sentry',
  displayName: 'Sentry',
  category: 'Error tracking',
  eventTypes: [
    'event',
    ...Object.keys(issueVerbs).map((action) => `issue_${action}`),
    'metric_alert',
    'comment',
  ],
  sendsLongPayloads: true,
  signature: hmacHeader(sentText('Client secret of the integration'), 'sentry-hook-signature'),
  steps: steps([
    'Open **Settings → Developer Settings → Custom Integrations**, and create an **Internal Integration**.',
    'Paste `{url}` as **Webhook URL**, turn on **Alert Rule Action**, and choose **issue** among the webhooks.',
    'Add the integration as an action of your alerts. The bot can check signatures with the **Client Secret**.',
  ]),
  example: {
    body: {
      action: 'created',
      data: {
        issue: {
          title: 'TypeError: roses is undefined',
          level: 'error',
          lastSeen: '2026-11-02T08:30:00.000Z',
          permalink: 'https://acme.sentry.io/issues/7/',
        },
      },
      actor: { name: 'Sentry', type: 'application' },
    },
    topic: 'TypeError: roses is undefined',
  },
  render({ payload }) {
    const data = payload.maybeObject('data')
    if (!data) return pluginNote(payload)
    const event = data.maybeObject('event') ?? data.maybeObject('error')
    if (event) return eventNote(event, event.maybeText('web_url'))
    const issue = data.maybeObject('issue')
    if (issue) return issueNote(payload, issue)
    if (data.has('metric_alert')) return metricNote(payload)
    if (data.has('comment')) return commentNote(payload)
    return unsupported(data.entries('')[0]?.[0] ?? 'unknown')
  },
})
