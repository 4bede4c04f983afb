import { CallError } from '#client/api/api.ts'

/** The server's answer about an uploaded file. */
export interface UploadedFile {
  readonly name: string
  /** The path under which messages link to it. */
  readonly url: string
}

export interface SendOptions {
  /** Called with the part that was sent, from 0 to 1. */
  readonly onProgress: (part: number) => void
  /** Cancels the upload; the server keeps nothing of it. */
  readonly signal: AbortSignal
}

/** Sends a file. @throws CallError `ABORTED` where it was cancelled */
export type SendFile = (file: File, options: SendOptions) => Promise<UploadedFile>

/** The file of the server's answer, if it says one. */
export function uploadedIn(reply: string, { name }: File): UploadedFile | undefined {
  const { url, filename = name } = parsed(reply)
  return url === undefined ? undefined : { name: filename, url }
}

/** The error of an answer that refuses; its message is empty where there is none. */
export function refusalIn(reply: string, status: number): CallError {
  const { msg = '', ...details } = parsed(reply)
  return new CallError(msg, 'BAD_REQUEST', status, { ...details })
}

interface Reply {
  readonly url?: string
  readonly filename?: string
  readonly msg?: string
}

function parsed(text: string): Reply {
  try {
    return (JSON.parse(text) as Reply | null) ?? {}
  } catch {
    return {}
  }
}
