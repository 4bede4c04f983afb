import { endpoint } from '#http/endpoint.ts'
import { text } from '#http/params.ts'
import { render } from '#markdown/render.ts'
import { checkContent, contentLimit } from '#messages/compose.ts'
import { authorLookups } from '#messages/lookups.ts'

/** Renders a text as the caller's message would be. @source the API description's "Render a message" */
export const renderMessage = endpoint({
  method: 'post',
  path: '/messages/render',
  params: { content: text(contentLimit) },
  run({ store, user, server }, { content }) {
    const lookups = authorLookups(store, user, server.realmUrl)
    return { rendered: render(checkContent(content), lookups).html }
  },
})
