import { CallError } from '#client/api/api.ts'
import { csrfToken } from '#client/api/fetch-api.ts'

/** The server's answer about an uploaded file. */
export interface Uploaded {
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
export type SendFile = (file: File, options: SendOptions) => Promise<Uploaded>

/** Larger files, in bytes, are sent in parts: a lost connection costs no more than the last part. */
const largestWhole = 8 * 1024 * 1024

/** Sends a file in one request, or a large one in parts. */
export const sendFile: SendFile = async (file, options) => {
  if (file.size <= largestWhole) return await sendWhole(file, options)
  const { sendInParts } = await import('./resumable-upload.ts')
  return await sendInParts(file, options)
}

/** Uses XMLHttpRequest because fetch reports no progress. */
const sendWhole: SendFile = (file, { onProgress, signal }) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const fail = (code: string, message = '') =>
      reject(new CallError(message, code, request.status))
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onabort = () => fail('ABORTED')
    request.onerror = () => fail('NETWORK')
    request.onload = () => {
      const uploaded = uploadedIn(request.responseText, file)
      if (request.status === 200 && uploaded) resolve(uploaded)
      else fail('BAD_REQUEST', problemIn(request.responseText))
    }
    signal.addEventListener('abort', () => request.abort())
    const form = new FormData()
    form.append('file', file, file.name)
    request.open('POST', '/json/user_uploads')
    request.setRequestHeader('X-CSRFToken', csrfToken())
    request.send(form)
  })

interface Reply {
  readonly url?: string
  readonly filename?: string
  readonly msg?: string
}

/** The file of the server's answer, if it says one. */
export function uploadedIn(answer: string, { name }: File): Uploaded | undefined {
  const { url, filename = name } = parsed(answer)
  return url === undefined ? undefined : { name: filename, url }
}

/** The message of an answer that refuses; empty where there is none. */
export function problemIn(answer: string): string {
  return parsed(answer).msg ?? ''
}

function parsed(text: string): Reply {
  try {
    return (JSON.parse(text) as Reply | null) ?? {}
  } catch {
    return {}
  }
}
