import { checkContent, contentLimit } from '#features/messaging/messages/compose.rules.ts'
import { authorLookups } from '#features/messaging/messages/lookups.queries.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { text } from '#platform/http/params.ts'
import { render } from '#platform/markdown/render.ts'
import * as shape from '#platform/shape.ts'

/** Renders a text like a message of the caller. @source Zulip API, "Render a message" */
export const renderMessage = endpoint({
  method: 'post',
  path: '/messages/render',
  summary: 'Render Markdown as in a message.',
  params: { content: text(contentLimit) },
  reply: { rendered: shape.noted(shape.string, 'HTML.') },
  run({ store, user, server }, { content }) {
    const lookups = authorLookups(store, user, server.realmUrl)
    return { rendered: render(checkContent(content), lookups).html }
  },
})
