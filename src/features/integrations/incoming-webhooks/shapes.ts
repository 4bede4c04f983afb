import { categories } from '#features/integrations/webhook-services/declaration.ts'
import * as shape from '#platform/shape.ts'
import { integrationMembers, option } from './state.ts'

/** A service whose webhooks this server accepts, with how to set it up. */
export const listedIntegration = shape.named('Integration', {
  ...integrationMembers,
  url_options: shape.list(
    shape.object({
      ...option,
      is_on_by_default: shape.noted(
        shape.boolean,
        'Whether a `check_bool` holds where the URL does not name it.',
      ),
    }),
  ),
  category: shape.choice(...categories),
  event_header: shape.noted(
    shape.nullable(shape.string),
    'The request header in which the service names the event; null if there is none.',
  ),
  steps: shape.noted(
    shape.list(shape.string),
    'What to do in the service, in Markdown. `{url}` stands for the webhook URL.',
  ),
  rendered_steps: shape.noted(shape.list(shape.string), 'The steps as HTML.'),
  example: shape.object({
    headers: shape.record(shape.string),
    body: shape.noted(
      shape.string,
      'A request of the service in JSON, to try the webhook URL with.',
    ),
    topic: shape.string,
    content: shape.noted(shape.string, 'The message about it, in Markdown.'),
    rendered_content: shape.noted(shape.string, 'The message as HTML.'),
  }),
})
