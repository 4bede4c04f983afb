import {
  type GetPromptResult,
  type ListPromptsResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'
import { readResource } from './resources.actions.ts'
import type { Reading } from './tools/tool.actions.ts'

export const promptList: ListPromptsResult = {
  prompts: [
    {
      name: 'catch_up',
      title: 'Catch up',
      description: 'What happened since I last looked, and what needs me.',
      arguments: [{ name: 'channel', description: 'Only this channel.' }],
    },
    {
      name: 'summarize_topic',
      title: 'Summarize a topic',
      description: 'What a conversation came to: decisions, open questions, next steps.',
      arguments: [
        { name: 'channel', description: 'The channel of the topic.', required: true },
        { name: 'topic', description: 'The topic.', required: true },
      ],
    },
  ],
}

type Arguments = Readonly<Record<string, string>>

/** @throws ProtocolError an unknown prompt, or one without its arguments; ResourceNotFoundError */
export async function getPrompt(
  call: Reading,
  name: string,
  args: Arguments = {},
): Promise<GetPromptResult> {
  const { channel, topic } = args
  if (name === 'catch_up') {
    const where =
      channel === undefined ? '' : ` Look only at the channel ${JSON.stringify(channel)}.`
    return said(
      `Help me catch up. Call whats_new, read what mentions me or asks me something with read_conversation, and tell me in a few lines: what needs an answer from me, what was decided, what can wait. Link the messages that you name.${where} Send nothing and mark nothing as read unless I say so.`,
    )
  }
  if (name !== 'summarize_topic') {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Unknown prompt: ${name.slice(0, 100)}`,
    )
  }
  if (channel === undefined || topic === undefined) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Missing arguments: channel, topic')
  }
  const uri = `parley://channel/${encodeURIComponent(channel)}/topic/${encodeURIComponent(topic)}`
  const { contents } = await readResource(call, uri)
  const [resource] = contents
  const { messages, ...rest } = said(
    'Summarize this conversation: what it is about, what was decided and by whom, what is open, and what comes next. Read older messages with read_conversation if its beginning is missing. Link the messages that matter.',
  )
  if (!resource) return { messages, ...rest }
  return {
    ...rest,
    messages: [...messages, { role: 'user', content: { type: 'resource', resource } }],
  }
}

function said(text: string): GetPromptResult {
  return { messages: [{ role: 'user', content: { type: 'text', text } }] }
}
