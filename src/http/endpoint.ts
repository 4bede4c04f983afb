import type { ErrorCode } from '#errors.ts'
import type { Members, MembersOf } from '#shape.ts'
import type { Caller } from './caller.ts'
import type { Later } from './later.ts'
import type { Params, Values } from './params.ts'
import type { RawMembers, RequestFacts } from './reply.ts'

export type Method = 'get' | 'post' | 'patch' | 'put' | 'delete'

/** What a handler returns: the members that the envelope carries besides `result` and `msg`. */
type Reply<R extends Members> = MembersOf<R> | RawMembers | Later | NothingIf<R>

/** Nothing at all, where no member is required. */
type NothingIf<R extends Members> =
  Partial<MembersOf<R>> extends MembersOf<R> ? void | undefined : never

/** What holds for every endpoint, whoever may call it. */
interface Declaration<P extends Params, R extends Members> {
  readonly method: Method
  /** Below `/api/v1` and `/json`; `:name` parts are parameters, declared in `params` like others. */
  readonly path: string
  readonly params: P
  /** What it does, in one sentence, for the API description. */
  readonly summary: string
  /** What more there is to know to call it: plain text. */
  readonly description?: string
  /** Codes of errors that not every endpoint can answer. */
  readonly errors?: readonly ErrorCode[]
  /** The members of a success besides `result`, `msg` and `ignored_parameters_unsupported`. */
  readonly reply: R
  /** Whether clients should no longer call it. */
  readonly deprecated?: boolean
  /** What the file is that it takes as a part of a multipart body, whatever the part's name. */
  readonly file?: string
  /** Whether it may come without that file. */
  readonly fileIsOptional?: boolean
  /** Whether incoming webhook bots may call it: they only write. */
  readonly forWebhookBots?: boolean
  /**
   * Whether its body is the caller's own affair, and not parameters: they are in the query alone.
   * `streamed`: it is a file that `request.receiveFile` takes while it arrives.
   */
  readonly rawBody?: boolean | 'streamed'
  /** The largest body in bytes, where it is not the usual limit. */
  readonly bodyLimit?: number
  /** Which budget of the rate limits a call costs; `api` unless it is a login. */
  readonly budget?: 'api' | 'login'
}

type Run<Who, P extends Params, R extends Members> = {
  run(caller: Who, params: Values<P>, request: RequestFacts): Reply<R> | Promise<Reply<R>>
}['run']

/** An endpoint as the app mounts it, whatever its parameters. */
export interface Endpoint extends Declaration<Params, Members> {
  readonly access: 'user' | 'anyone' | 'key'
  run(caller: never, params: never, request: RequestFacts): unknown
}

/** Declares an endpoint for an authenticated user or bot. */
export function endpoint<P extends Params, R extends Members>(
  declaration: Declaration<P, R> & { readonly run: Run<Caller, P, R> },
): Endpoint {
  return { ...declaration, access: 'user' }
}

/**
 * Declares an endpoint for programs that can do no more than post to an address: the parameter
 * `api_key` in it says which user or bot calls.
 */
export function keyEndpoint<P extends Params, R extends Members>(
  declaration: Declaration<P, R> & { readonly run: Run<Caller, P, R> },
): Endpoint {
  return { ...declaration, access: 'key', forWebhookBots: true }
}

/** Declares an endpoint that needs no account; who has one is told apart nevertheless. */
export function publicEndpoint<P extends Params, R extends Members>(
  declaration: Declaration<P, R> & { readonly run: Run<Caller | undefined, P, R> },
): Endpoint {
  return { ...declaration, access: 'anyone' }
}
