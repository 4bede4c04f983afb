import * as v from 'valibot'
import { findBotOptions } from '#bots/queries.ts'
import { badRequest } from '#errors.ts'
import type { Caller } from '#http/caller.ts'
import { keyEndpoint } from '#http/endpoint.ts'
import { json, optional, text, textArray, type Values } from '#http/params.ts'
import type { RequestFacts } from '#http/reply.ts'
import { githubNote, requireSignature } from '#webhooks/github/note.ts'
import { gitlabNote, requireToken } from '#webhooks/gitlab/note.ts'
import { type Integration, integrations } from '#webhooks/integrations.ts'
import { slackNote } from '#webhooks/slack/note.ts'
import { postNote } from './actions.ts'
import { readPayload } from './body.ts'
import { jsonNote } from './json.ts'
import type { Note } from './note.ts'

/** What people can put into the address that they give to another service. */
const destination = {
  api_key: text(200),
  stream: optional(text(1000)),
  topic: optional(text(1000)),
}

const patterns = json(v.pipe(textArray(200, 200)))
const filters = { only_events: optional(patterns), exclude_events: optional(patterns) }

/** The largest payload of a service that sends all there is to know about an event, in bytes. */
const longPayload = 10 * 1024 * 1024
/** The largest payload of what shows the payload itself. */
const shortPayload = 256 * 1024

const common = {
  method: 'post',
  rawBody: true,
  reply: {},
  description:
    'The body is what the service sends. Without a channel, the bot writes to its owner alone.',
} as const

/** @throws BAD_REQUEST people, whose keys are for programs that they run themselves */
function requireBot({ user }: Caller): void {
  if (user.botType === null) throw badRequest('Webhooks need the API key of a bot.')
}

type Asked = Values<typeof destination> & Partial<Values<typeof filters>>

async function post(
  caller: Caller,
  integration: Integration,
  asked: Asked,
  note: Note | undefined,
): Promise<void> {
  if (!note) return
  const place = {
    channel: asked.stream,
    topic: asked.topic,
    only: asked.only_events,
    except: asked.exclude_events,
  }
  await postNote(caller, integration, place, note)
}

/** The secret that the bot shares with the service, if its owner has set one. */
function secretOf({ store, user }: Caller, { name }: Integration): string | undefined {
  const { integration, config } = findBotOptions(store, user.id)
  return integration === name && config.webhook_secret ? config.webhook_secret : undefined
}

/** @source Slack's documentation of incoming webhooks */
export const slackWebhook = keyEndpoint({
  ...common,
  path: '/external/slack_incoming',
  summary: "Say what a program posts that was made for Slack's incoming webhooks.",
  params: destination,
  bodyLimit: shortPayload,
  errors: ['STREAM_DOES_NOT_EXIST'],
  async run(caller, p, request) {
    requireBot(caller)
    await post(caller, integrations.slack_incoming, p, slackNote(readPayload(request)))
  },
})

/** @source GitHub's documentation of webhooks */
export const githubWebhook = keyEndpoint({
  ...common,
  path: '/external/github',
  summary: 'Tell a channel or its owner what happens on GitHub.',
  params: { ...destination, ...filters, branches: optional(text(1000)) },
  bodyLimit: longPayload,
  errors: ['STREAM_DOES_NOT_EXIST', 'UNSUPPORTED_WEBHOOK_EVENT_TYPE'],
  async run(caller, p, request) {
    requireBot(caller)
    const secret = secretOf(caller, integrations.github)
    if (secret !== undefined) requireSignature(secret, request)
    const event = request.header('x-github-event')
    await post(caller, integrations.github, p, githubNote(event, readPayload(request), p.branches))
  },
})

/** @source GitLab's documentation of webhooks */
export const gitlabWebhook = keyEndpoint({
  ...common,
  path: '/external/gitlab',
  summary: 'Tell a channel or its owner what happens on GitLab.',
  params: { ...destination, ...filters, branches: optional(text(1000)) },
  bodyLimit: longPayload,
  errors: ['STREAM_DOES_NOT_EXIST', 'UNSUPPORTED_WEBHOOK_EVENT_TYPE'],
  async run(caller, p, request) {
    requireBot(caller)
    const secret = secretOf(caller, integrations.gitlab)
    if (secret !== undefined) requireToken(secret, request)
    const event = request.header('x-gitlab-event')
    await post(caller, integrations.gitlab, p, gitlabNote(event, readPayload(request), p.branches))
  },
})

/** Shows any JSON as it comes: to see what a service sends. */
export const jsonWebhook = keyEndpoint({
  ...common,
  path: '/external/json',
  summary: 'Show the JSON that is posted.',
  params: destination,
  bodyLimit: shortPayload,
  errors: ['STREAM_DOES_NOT_EXIST'],
  async run(caller: Caller, p, request: RequestFacts) {
    requireBot(caller)
    await post(caller, integrations.json, p, jsonNote(readPayload(request)))
  },
})
