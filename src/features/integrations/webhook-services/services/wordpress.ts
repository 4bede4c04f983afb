import { integration } from '#features/integrations/webhook-services/declaration.ts'
import { inline, link } from '#features/integrations/webhook-services/format.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'
import { badRequest } from '#platform/errors.ts'

/** @source WordPress plugin HookPress; Zulip documentation, "WordPress" */
export const wordpress = integration({
  name: 'wordpress',
  displayName: 'WordPress',
  category: 'Publishing',
  eventTypes: ['publish_post', 'publish_page', 'user_register', 'wp_login'],
  isOftenMalformed: true,
  steps: steps([
    'Install a plugin for webhooks that posts forms, such as **HookPress**.',
    'Add a webhook for the action `publish_post`, `publish_page`, `user_register` or `wp_login`, and paste `{url}`.',
    'Choose the fields `post_title`, `post_type` and `post_url`, or `display_name`, `user_email` and `user_login`.',
  ]),
  example: {
    body: {
      hook: 'publish_post',
      post_type: 'post',
      post_title: 'How to water roses',
      post_url: 'https://garden.example.com/roses',
    },
    topic: 'WordPress notification',
  },
  render({ payload }) {
    const hook = payload.text('hook').trim()
    const at = (path: string, fallback: string) => payload.someText(path) ?? fallback
    const topic = at('topic', 'WordPress notification')
    const events = [hook]
    switch (hook) {
      case 'publish_post':
      case 'publish_page': {
        const kind = inline(at('post_type', hook === 'publish_page' ? 'page' : 'post'), 60)
        const title = link(at('post_title', 'New WordPress post'), at('post_url', ''))
        return { topic, content: `New ${kind} published: **${title}**`, events }
      }
      case 'user_register': {
        const [who, mail] = [
          inline(at('display_name', 'A user')),
          inline(at('user_email', 'no email')),
        ]
        return { topic, content: `${who} registered (${mail}).`, events }
      }
      case 'wp_login':
        return { topic, content: `${inline(at('user_login', 'A user'))} logged in.`, events }
      default:
        throw badRequest(`There are no messages about the hook '${hook.slice(0, 50)}'.`)
    }
  },
})
