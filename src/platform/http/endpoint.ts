import type { ErrorCode } from '#platform/errors.ts'
import type { Members, MembersOf, Shape } from '#platform/shape.ts'
import type { Steps } from '#platform/steps.ts'
import type { Caller } from './caller.ts'
import type { RequestFacts } from './facts.ts'
import type { Later } from './later.ts'
import type { Params, Values } from './params.ts'
import type { RawMembers } from './reply.ts'
import type { StreamedReply } from './streamed.ts'

export type Method = 'get' | 'post' | 'patch' | 'put' | 'delete'

/** What a handler returns: the members of the reply besides `result` and `msg`. */
type Reply<R extends Members> = MembersOf<R> | RawMembers | Later | StreamedReply | NothingIf<R>

/** Allows a handler to return nothing if no member is required. */
type NothingIf<R extends Members> =
  Partial<MembersOf<R>> extends MembersOf<R> ? void | undefined : never

/** The properties of every endpoint, whoever may call it. */
interface Declaration<P extends Params, R extends Members> {
  readonly method: Method
  /** Below `/api/v1` and `/json`; `:name` parts are parameters, declared in `params` too. */
  readonly path: string
  readonly params: P
  /** One sentence on what it does, for the API description. */
  readonly summary: string
  /** Further documentation for callers, as plain text. */
  readonly description?: string
  /** The error codes specific to this endpoint. */
  readonly errors?: readonly ErrorCode[]
  /** Members of those errors that are specific to this endpoint. */
  readonly errorMembers?: Partial<Readonly<Record<ErrorCode, Members>>>
  /** The members of a success besides `result`, `msg` and `ignored_parameters_unsupported`. */
  readonly reply: R
  /** The data of each record, for an endpoint that answers with server-sent events. */
  readonly record?: Shape
  /** Whether clients should no longer call it. */
  readonly deprecated?: boolean
  /** Describes the file it takes in a multipart body, under any part name; absent: no file. */
  readonly file?: string
  /** Whether the file may be missing. */
  readonly fileIsOptional?: boolean
  /** Whether it also works in a deactivated organization: it shows no organization data. */
  readonly alwaysOpen?: boolean
  /** Whether incoming webhook bots may call it. */
  readonly forWebhookBots?: boolean
  /**
   * Whether the body is raw data, with parameters in the query string only. `streamed`: the body is
   * a file that `request.receiveFile` stores while it arrives.
   */
  readonly rawBody?: boolean | 'streamed'
  /** Whether HEAD is answered with a bare success: services try URLs that way before they post. */
  readonly takesHead?: boolean
  /** The largest body, in bytes; default: what the parameters take, see `bodyLimitOf`. */
  readonly bodyLimit?: number
  /** `login`: calls count against the network that compares passwords, whoever makes them. */
  readonly budget?: 'login'
}

/** A handler; one whose work may take long returns `Steps`: it is a generator. */
type Run<Who, P extends Params, R extends Members> = {
  run(
    caller: Who,
    params: Values<P>,
    request: RequestFacts,
  ): Reply<R> | Promise<Reply<R>> | Steps<Reply<R> | Promise<Reply<R>>>
}['run']

/** An endpoint as the app mounts it, with its parameter types erased. */
export interface Endpoint extends Declaration<Params, Members> {
  readonly access: 'user' | 'anyone' | 'key' | 'spectator'
  run(caller: never, params: never, request: RequestFacts): unknown
}

/** Declares an endpoint for an authenticated user or bot. */
export function endpoint<P extends Params, R extends Members>(
  declaration: Declaration<P, R> & { readonly run: Run<Caller, P, R> },
): Endpoint {
  return { ...declaration, access: 'user' }
}

/**
 * Declares an endpoint for programs that can only post to a URL: the query parameter `api_key`
 * authenticates the user or bot; without it, HTTP Basic does.
 */
export function keyEndpoint<P extends Params, R extends Members>(
  declaration: Declaration<P, R> & { readonly run: Run<Caller, P, R> },
): Endpoint {
  return { ...declaration, access: 'key', forWebhookBots: true }
}

/** Declares an endpoint that needs no login; a caller who is logged in is still identified. */
export function publicEndpoint<P extends Params, R extends Members>(
  declaration: Declaration<P, R> & { readonly run: Run<Caller | undefined, P, R> },
): Endpoint {
  return { ...declaration, access: 'anyone' }
}

/**
 * Declares an endpoint for accounts and, where `Directory.allowsSpectators`, for people without
 * one, who get no caller. Unlike with `publicEndpoint`, wrong credentials are an error, and the
 * store in `request` is the caller's.
 */
export function spectatorEndpoint<P extends Params, R extends Members>(
  declaration: Declaration<P, R> & { readonly run: Run<Caller | undefined, P, R> },
): Endpoint {
  return { ...declaration, access: 'spectator' }
}
