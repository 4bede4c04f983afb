import { emptyList } from './hostile-values.ts'
import { type Maker, withMessage } from './maker.ts'
import { plain, type SampleCalls } from './sample-call.ts'

/** What is written and kept for later: drafts, snippets, scheduled messages, reminders, files. */
export function writingCalls(make: Maker): SampleCalls {
  return {
    'POST /drafts': plain(
      { drafts: [{ type: '', to: [], topic: '', content: 'x' }] },
      { takes: { drafts: emptyList } },
    ),
    'DELETE /drafts/:draft_id{[0-9]+}': async () => ({ params: { draft_id: await make.draft() } }),
    'PATCH /drafts/:draft_id{[0-9]+}': async () => ({
      params: {
        draft_id: await make.draft(),
        draft: { type: '', to: [], topic: '', content: 'y' },
      },
    }),
    'GET /drafts': plain(),
    'POST /saved_snippets': plain({ title: 'a', content: 'b' }, { free: ['title', 'content'] }),
    'PATCH /saved_snippets/:saved_snippet_id{[0-9]+}': async () => ({
      params: { saved_snippet_id: await make.snippet(), title: 'c' },
      free: ['title', 'content'],
    }),
    'GET /saved_snippets': plain(),
    'DELETE /saved_snippets/:saved_snippet_id{[0-9]+}': async () => ({
      params: { saved_snippet_id: await make.snippet() },
    }),
    'POST /scheduled_messages': plain(
      {
        ...{ type: 'channel', to: 3, topic: 'plans', content: 'Later.' },
        scheduled_delivery_timestamp: make.later(),
      },
      { free: ['content', 'topic'] },
    ),
    'DELETE /scheduled_messages/:scheduled_message_id{[0-9]+}': async () => ({
      params: { scheduled_message_id: await make.scheduled() },
    }),
    'PATCH /scheduled_messages/:scheduled_message_id{[0-9]+}': async () => ({
      params: { scheduled_message_id: await make.scheduled(), content: 'Sooner.' },
      free: ['content', 'topic'],
    }),
    'GET /scheduled_messages': plain(),
    'POST /reminders': withMessage(
      make,
      { scheduled_delivery_timestamp: make.later() },
      { free: ['note'] },
    ),
    'DELETE /reminders/:reminder_id{[0-9]+}': async () => ({
      params: { reminder_id: await make.reminder(await make.message()) },
    }),
    'GET /reminders': plain(),
    'GET /attachments': plain(),
    'DELETE /attachments/:attachment_id': async () => ({
      params: { attachment_id: (await make.file()).id },
    }),
    'POST /user_uploads': plain({}, { picture: true }),
    'GET /user_uploads/:realm_id/:filename{.+}': async () => ({
      params: (await make.file()).params,
    }),
    'GET /thumbnail/status/:realm_id/:filename{.+}': async () => ({
      params: (await make.file()).params,
    }),
  }
}
