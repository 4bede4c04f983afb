import { type Sentence, sentence, type Values } from '#translations/translate.ts'

/** A refusal or failure of a call. */
export class CallError extends Error {
  /** The API's code, such as `BAD_REQUEST`; `NETWORK`: no answer came. */
  readonly code: string
  readonly status: number
  /** Members of the answer besides the message and the code. */
  readonly details: Readonly<Record<string, unknown>>
  /** How long to wait before trying again, in seconds. */
  readonly retryAfter: number | undefined

  constructor(
    message: string,
    code: string,
    status: number,
    details: Readonly<Record<string, unknown>> = {},
    retryAfter?: number,
  ) {
    super(message)
    this.code = code
    this.status = status
    this.details = details
    this.retryAfter = retryAfter
  }

  /** The parameter that the refusal is about. */
  get parameter(): string | undefined {
    const { parameter } = this.details
    return typeof parameter === 'string' ? parameter : undefined
  }

  /** The message in a form that can be translated, if the server sent that. */
  get sentence(): Sentence | undefined {
    const { msg_template: template, msg_values: values } = this.details
    if (typeof template !== 'string') return undefined
    return sentence(template, values as Values | undefined)
  }
}

export type CallParams = Readonly<Record<string, unknown>>

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Whether the page is being left, which the call has to survive. */
  readonly isLast?: boolean
}

/**
 * Calls the server's API with the session's cookie. Parameters that are neither texts nor files are
 * sent as JSON, undefined ones not at all.
 *
 * @throws CallError
 */
export interface Api {
  get<T = object>(path: string, params?: CallParams, options?: CallOptions): Promise<T>
  post<T = object>(path: string, params?: CallParams, options?: CallOptions): Promise<T>
  patch<T = object>(path: string, params?: CallParams, options?: CallOptions): Promise<T>
  put<T = object>(path: string, params?: CallParams, options?: CallOptions): Promise<T>
  delete<T = object>(path: string, params?: CallParams, options?: CallOptions): Promise<T>
}
