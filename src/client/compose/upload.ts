import { type Signal, signal } from '@preact/signals-core'
import { csrfToken } from '#client/api/fetch-api.ts'

/** A file on its way to the server. */
export interface Upload {
  readonly id: number
  readonly name: string
  /** From 0 to 1. */
  readonly progress: Signal<number>
  readonly problem: Signal<string | undefined>
  cancel(): void
}

export interface Uploaded {
  readonly name: string
  /** The path under which messages link to it. */
  readonly url: string
}

let count = 0

/**
 * Sends a file, by XMLHttpRequest because fetch tells no progress.
 *
 * @returns the upload, and a promise of its end: undefined when it was cancelled or failed
 */
export function upload(file: File): { upload: Upload; done: Promise<Uploaded | undefined> } {
  const request = new XMLHttpRequest()
  const progress = signal(0)
  const problem = signal<string | undefined>(undefined)
  const done = new Promise<Uploaded | undefined>((resolve) => {
    const fail = (text: string) => {
      problem.value = text
      resolve(undefined)
    }
    request.upload.onprogress = ({ loaded, total }) => {
      progress.value = total > 0 ? loaded / total : 0
    }
    request.onabort = () => resolve(undefined)
    request.onerror = () => fail('')
    request.onload = () => {
      const reply = parsed(request.responseText)
      if (request.status === 200 && reply.url)
        resolve({ name: reply.filename ?? file.name, url: reply.url })
      else fail(reply.msg ?? '')
    }
  })
  const form = new FormData()
  form.append('file', file, file.name)
  request.open('POST', '/json/user_uploads')
  request.setRequestHeader('X-CSRFToken', csrfToken())
  request.send(form)
  count += 1
  return {
    upload: { id: count, name: file.name, progress, problem, cancel: () => request.abort() },
    done,
  }
}

interface Reply {
  readonly url?: string
  readonly filename?: string
  readonly msg?: string
}

function parsed(text: string): Reply {
  try {
    return JSON.parse(text) as Reply
  } catch {
    return {}
  }
}

/** Markdown that links to an uploaded file. */
export function uploadMarkdown({ name, url }: Uploaded): string {
  return `[${plainLabel(name)}](${url})`
}

function plainLabel(name: string): string {
  return name.replace(/[[\]]/g, '')
}

/** Stands in the text for a file while it is being sent. */
export function uploadPlaceholder({ id, name }: Upload): string {
  return `[Uploading ${plainLabel(name)}… (${id})]()`
}
