import {
  acceptedContent,
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  type Tool as ListedTool,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { toJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { clientOf } from '#features/integrations/assistants/assistant.ts'
import type { Identified } from '#features/integrations/assistants/identified.actions.ts'
import { ApiError } from '#platform/errors.ts'
import { tools } from './list.actions.ts'
import { type Call, type Reply, Unconfirmed } from './tool.actions.ts'

/** The tools as clients get them; made once, when the first asks. */
let listed: ListedTool[] | undefined

/** @param mayWrite whether also those that change something */
export function listTools(mayWrite: boolean): ListedTool[] {
  listed ??= tools.map(({ name, title, description, hints, input, output }) => ({
    name,
    title,
    description,
    inputSchema: toJsonSchema(input, { ignoreActions: ['check'] }) as ListedTool['inputSchema'],
    outputSchema: toJsonSchema(output, { typeMode: 'output' }) as ListedTool['inputSchema'],
    annotations: { title, openWorldHint: false, ...hints },
  }))
  return mayWrite ? listed : listed.filter(({ annotations }) => annotations?.readOnlyHint)
}

/**
 * Calls a tool. What goes wrong in it is a result that says so, which the model reads.
 *
 * @throws ProtocolError there is no such tool
 */
export async function callTool(
  { caller, assistant, origin, finish }: Identified,
  server: Server,
  {
    name,
    arguments: given = {},
  }: { readonly name: string; readonly arguments?: object | undefined },
  ctx: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const tool = tools.find((each) => each.name === name)
  if (!tool)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 100)}`)
  const isWriting = !tool.hints.readOnlyHint
  if (isWriting && !assistant.mayWrite) return failed('This connection may only read.')
  const args = v.safeParse(tool.input, given)
  if (!args.success) return failed(`Wrong arguments: ${problems(args.issues)}`)
  const { agreed, canAsk } = consent(server, ctx, given)
  const progressToken = ctx.mcpReq._meta?.progressToken
  const call: Call = {
    caller,
    client: clientOf(assistant),
    origin,
    signal: ctx.mcpReq.signal,
    finish,
    confirm(question) {
      if (agreed !== true) throw new Unconfirmed(question)
    },
    async progress(progress, total, message) {
      if (progressToken === undefined) return
      const params = { progressToken, progress, total, message }
      await ctx.mcpReq.notify({ method: 'notifications/progress', params })
    },
  }
  try {
    if (isWriting) caller.server.rateLimits.bill('assistants', caller.user.id).open()
    return result(await tool.run(call, args.output as never))
  } catch (error) {
    if (error instanceof ApiError) return failed(error.message, error)
    if (!(error instanceof Unconfirmed)) throw error
    if (agreed === false) return failed('The person did not agree.')
    if (!canAsk) {
      return failed(`Ask the person first: ${error.message} Then call again with confirm: true.`)
    }
    return inputRequired({
      inputRequests: { consent: inputRequired.elicit(question(error.message)) },
    })
  }
}

/** Whether the person has agreed, as far as the client says; undefined: nobody has asked. */
function consent(server: Server, ctx: ServerContext, given: object) {
  const { elicitation } = server.getClientCapabilities() ?? {}
  const canAsk = elicitation !== undefined && (elicitation.form !== undefined || !elicitation.url)
  if (!canAsk)
    return { canAsk, agreed: 'confirm' in given && given.confirm === true ? true : undefined }
  const { consent } = ctx.mcpReq.inputResponses ?? {}
  if (consent === undefined) return { canAsk, agreed: undefined }
  const content = acceptedContent(ctx.mcpReq.inputResponses, 'consent')
  return { canAsk, agreed: content?.agree === true }
}

function question(message: string): Parameters<typeof inputRequired.elicit>[0] {
  const agree = { type: 'boolean' as const, title: 'Yes, do it', default: false }
  return {
    message,
    requestedSchema: { type: 'object', properties: { agree }, required: ['agree'] },
  }
}

/** How many of the wrong arguments an answer names. */
const mostProblems = 5

function problems(issues: readonly v.BaseIssue<unknown>[]): string {
  return issues
    .slice(0, mostProblems)
    .map((issue) => `${v.getDotPath(issue) ?? 'arguments'}: ${issue.message.slice(0, 200)}`)
    .join('; ')
}

function result({ structured, markdown, image }: Reply<object>): CallToolResult {
  const picture = image && { type: 'image' as const, ...image }
  return {
    content: [{ type: 'text', text: markdown }, ...(picture ? [picture] : [])],
    structuredContent: structured as Record<string, unknown>,
  }
}

function failed(text: string, error?: ApiError): CallToolResult {
  const wait = error?.extra['retry-after']
  const more = typeof wait === 'number' ? ` Try again in ${Math.ceil(wait)} seconds.` : ''
  return { isError: true, content: [{ type: 'text', text: text + more }] }
}
