import { setTimeout as pause } from 'node:timers/promises'
import {
  type CallToolResult,
  type GetPromptResult,
  type ReadResourceResult,
  Server,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server'
import { pngPicture } from '#test/support/pictures.ts'

/*
 * What the protocol's own suite expects of a server that it tests: tools, resources and prompts of
 * these names.
 */

const png = { data: pngPicture(1, 1).toString('base64'), mimeType: 'image/png' }
const text = (content: string): CallToolResult => ({ content: [{ type: 'text', text: content }] })
const embedded = (uri: string, mimeType: string, content: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: content },
})

type Handler = (args: Record<string, string>, ctx: ServerContext) => Promise<CallToolResult>

/** Asks the client for input. */
async function elicited(ctx: ServerContext, message: string, properties: object) {
  const requestedSchema = { type: 'object', properties, required: [] }
  const { action, content } = await ctx.mcpReq.elicitInput({ message, requestedSchema } as never)
  return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`)
}

async function progressed(ctx: ServerContext): Promise<void> {
  const progressToken = ctx.mcpReq._meta?.progressToken
  for (const progress of [0, 50, 100]) {
    if (progressToken !== undefined) {
      const params = { progressToken, progress, total: 100 }
      await ctx.mcpReq.notify({ method: 'notifications/progress', params })
    }
    await pause(20)
  }
}

async function logged(ctx: ServerContext): Promise<void> {
  for (const said of ['execution started', 'processing data', 'execution completed']) {
    await ctx.mcpReq.log('info', `Tool ${said}`)
    await pause(20)
  }
}

const titled = (names: readonly string[], values: string) =>
  names.map((title, i) => ({ const: `${values}${i + 1}`, title }))
const options = ['option1', 'option2', 'option3']

const handlers: Readonly<Record<string, Handler>> = {
  test_simple_text: async () => text('This is a simple text response for testing.'),
  test_image_content: async () => ({ content: [{ type: 'image', ...png }] }),
  test_audio_content: async () => ({
    content: [{ type: 'audio', data: 'UklGRiQAAABXQVZF', mimeType: 'audio/wav' }],
  }),
  test_embedded_resource: async () => ({
    content: [
      embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
    ],
  }),
  test_multiple_content_types: async () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', ...png },
      embedded(
        'test://mixed-content-resource',
        'application/json',
        JSON.stringify({ test: 'data', value: 123 }),
      ),
    ],
  }),
  test_tool_with_logging: async (_args, ctx) => {
    await logged(ctx)
    return text('Done.')
  },
  test_error_handling: async () => ({
    isError: true,
    ...text('This tool intentionally returns an error for testing'),
  }),
  test_tool_with_progress: async (_args, ctx) => {
    await progressed(ctx)
    return text('Done.')
  },
  test_sampling: async ({ prompt = '' }, ctx) => {
    const { content } = await ctx.mcpReq.requestSampling({
      messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
      maxTokens: 100,
    })
    return text(`LLM response: ${JSON.stringify(content)}`)
  },
  test_elicitation: ({ message = '' }, ctx) =>
    elicited(ctx, message, {
      username: { type: 'string', description: 'User’s response' },
      email: { type: 'string', description: 'User’s email address' },
    }),
  test_elicitation_sep1034_defaults: (_args, ctx) =>
    elicited(ctx, 'Defaults', {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    }),
  test_elicitation_sep1330_enums: (_args, ctx) =>
    elicited(ctx, 'Choices', {
      untitledSingle: { type: 'string', enum: options },
      titledSingle: {
        type: 'string',
        oneOf: titled(['First Option', 'Second Option', 'Third Option'], 'value'),
      },
      legacyEnum: {
        type: 'string',
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three'],
      },
      untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
      titledMulti: {
        type: 'array',
        items: { anyOf: titled(['First Choice', 'Second Choice', 'Third Choice'], 'value') },
      },
    }),
  test_reconnection: async (_args, ctx) => {
    ctx.http?.closeSSE?.()
    await pause(100)
    return text('Reconnection test completed successfully')
  },
  json_schema_2020_12_tool: async () => text('Done.'),
}

const schemaTool: Tool['inputSchema'] = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
  additionalProperties: false,
}

const resources: Readonly<Record<string, object>> = {
  'test://static-text': {
    mimeType: 'text/plain',
    text: 'This is the content of the static text resource.',
  },
  'test://static-binary': { mimeType: png.mimeType, blob: png.data },
  'test://watched-resource': { mimeType: 'text/plain', text: 'Watched.' },
}

function resourceAt(uri: string): ReadResourceResult {
  const id = /^test:\/\/template\/(\w+)\/data$/.exec(uri)?.[1]
  const made = { id, templateTest: true, data: `Data for ID: ${id}` }
  const found = id
    ? { mimeType: 'application/json', text: JSON.stringify(made) }
    : (resources[uri] ?? { text: '' })
  return { contents: [{ uri, ...found } as ReadResourceResult['contents'][number]] }
}

type Content = GetPromptResult['messages'][number]['content']

const prompts: Readonly<Record<string, (args: Record<string, string>) => Content[]>> = {
  test_simple_prompt: () => [{ type: 'text', text: 'This is a simple prompt for testing.' }],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [
    { type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` },
  ],
  test_prompt_with_embedded_resource: ({ resourceUri = '' }) => [
    embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
    { type: 'text', text: 'Please process the embedded resource above.' },
  ],
  test_prompt_with_image: () => [
    { type: 'image', ...png },
    { type: 'text', text: 'Please analyze the image above.' },
  ],
}

/** Makes a server of the protocol that has all of this. */
export function createSuiteServer(): Server {
  const server = new Server(
    { name: 'suite', version: '1.0.0' },
    {
      capabilities: {
        tools: {},
        resources: { subscribe: true },
        prompts: {},
        completions: {},
        logging: {},
      },
    },
  )
  server.setRequestHandler('tools/list', () => ({
    tools: Object.keys(handlers).map((name) => ({
      name,
      description: `${name} of the suite`,
      inputSchema: name.startsWith('json_schema') ? schemaTool : { type: 'object' },
    })),
  }))
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const run = handlers[params.name]
    if (!run) throw new Error(`Unknown tool: ${params.name}`)
    return await run((params.arguments ?? {}) as Record<string, string>, ctx)
  })
  server.setRequestHandler('resources/list', () => ({
    resources: Object.keys(resources).map((uri) => ({ uri, name: uri, description: uri })),
  }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
  }))
  server.setRequestHandler('resources/read', ({ params }) => resourceAt(params.uri))
  server.setRequestHandler('resources/subscribe', () => ({}))
  server.setRequestHandler('resources/unsubscribe', () => ({}))
  server.setRequestHandler('prompts/list', () => ({
    prompts: Object.keys(prompts).map((name) => ({ name, description: name })),
  }))
  server.setRequestHandler('prompts/get', ({ params }) => ({
    messages: (prompts[params.name]?.(params.arguments ?? {}) ?? []).map((content) => ({
      role: 'user' as const,
      content,
    })),
  }))
  server.setRequestHandler('completion/complete', () => ({ completion: { values: [] } }))
  return server
}
