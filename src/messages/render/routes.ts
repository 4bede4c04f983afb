import { endpoint } from '#http/endpoint.ts'
import { text } from '#http/params.ts'
import { render } from '#markdown/render.ts'
import { checkContent, contentLimit } from '#messages/compose.ts'
import { authorLookups } from '#messages/lookups.ts'
import { noted, string } from '#shape.ts'

/** Renders a text as the caller's message would be. @source the API description's "Render a message" */
export const renderMessage = endpoint({
  method: 'post',
  path: '/messages/render',
  summary: 'Render a text as a message would be.',
  params: { content: text(contentLimit) },
  reply: { rendered: noted(string, 'HTML.') },
  run({ store, user, server }, { content }) {
    const lookups = authorLookups(store, user, server.realmUrl)
    return { rendered: render(checkContent(content), lookups).html }
  },
})
