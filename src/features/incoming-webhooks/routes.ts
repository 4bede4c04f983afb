import * as v from 'valibot'
import { type Integration, integrations } from '#features/bots/integrations.ts'
import { findBotOptions } from '#features/bots/queries.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { keyEndpoint } from '#platform/http/endpoint.ts'
import { json, optional, text, textArray, type Values } from '#platform/http/params.ts'
import type { RequestFacts } from '#platform/http/reply.ts'
import { postNote } from './actions.ts'
import { readPayload } from './body.ts'
import { githubNote, requireSignature } from './github/note.ts'
import { gitlabNote, requireToken } from './gitlab/note.ts'
import { jsonNote } from './json.ts'
import type { Note } from './note.ts'
import { slackNote } from './slack/note.ts'

/** The query parameters of every webhook URL. */
const destination = {
  api_key: text(200),
  stream: optional(text(1000)),
  topic: optional(text(1000)),
}

const patterns = json(v.pipe(textArray(200, 200)))
const filters = { only_events: optional(patterns), exclude_events: optional(patterns) }

/** The largest payload of a service that sends full event data, in bytes. */
const longPayload = 1024 * 1024
/** The largest payload that is itself shown as a message, in bytes. */
const shortPayload = 256 * 1024

const common = {
  method: 'post',
  rawBody: true,
  reply: {},
  description:
    'The body is the payload that the service sends. Without a channel, the bot sends its messages to its owner.',
} as const

/** @throws BAD_REQUEST not a bot, because a person's key must not be given to other services */
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

/** The secret that the bot shares with the service; undefined if none is set. */
function secretOf({ store, user }: Caller, { name }: Integration): string | undefined {
  const { integration, config } = findBotOptions(store, user.id)
  return integration === name && config.webhook_secret ? config.webhook_secret : undefined
}

/** @source Slack API, "Sending messages using incoming webhooks" */
export const slackWebhook = keyEndpoint({
  ...common,
  path: '/external/slack_incoming',
  summary: "Post a message in the format of Slack's incoming webhooks.",
  params: destination,
  bodyLimit: shortPayload,
  errors: ['STREAM_DOES_NOT_EXIST'],
  async run(caller, p, request) {
    requireBot(caller)
    await post(caller, integrations.slack_incoming, p, slackNote(readPayload(request)))
  },
})

/** @source GitHub Docs, "Webhook events and payloads" */
export const githubWebhook = keyEndpoint({
  ...common,
  path: '/external/github',
  summary: "Receive GitHub's webhooks: post their events to a channel or to the bot's owner.",
  params: { ...destination, ...filters, branches: optional(text(1000)) },
  bodyLimit: longPayload,
  errors: ['STREAM_DOES_NOT_EXIST', 'UNSUPPORTED_WEBHOOK_EVENT_TYPE'],
  async run(caller, p, request) {
    requireBot(caller)
    const secret = secretOf(caller, integrations.github)
    if (secret !== undefined) requireSignature(secret, request, caller.user.id)
    const event = request.header('x-github-event')
    await post(caller, integrations.github, p, githubNote(event, readPayload(request), p.branches))
  },
})

/** @source GitLab Docs, "Webhook events" */
export const gitlabWebhook = keyEndpoint({
  ...common,
  path: '/external/gitlab',
  summary: "Receive GitLab's webhooks: post their events to a channel or to the bot's owner.",
  params: { ...destination, ...filters, branches: optional(text(1000)) },
  bodyLimit: longPayload,
  errors: ['STREAM_DOES_NOT_EXIST', 'UNSUPPORTED_WEBHOOK_EVENT_TYPE'],
  async run(caller, p, request) {
    requireBot(caller)
    const secret = secretOf(caller, integrations.gitlab)
    if (secret !== undefined) requireToken(secret, request, caller.user.id)
    const event = request.header('x-gitlab-event')
    await post(caller, integrations.gitlab, p, gitlabNote(event, readPayload(request), p.branches))
  },
})

/** Shows any JSON, for example to see what a service sends. */
export const jsonWebhook = keyEndpoint({
  ...common,
  path: '/external/json',
  summary: 'Post any JSON payload as a message.',
  params: destination,
  bodyLimit: shortPayload,
  errors: ['STREAM_DOES_NOT_EXIST'],
  async run(caller: Caller, p, request: RequestFacts) {
    requireBot(caller)
    await post(caller, integrations.json, p, jsonNote(readPayload(request)))
  },
})
