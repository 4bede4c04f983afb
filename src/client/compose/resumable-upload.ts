import { DetailedError, Upload } from 'tus-js-client'
import { CallError } from '#client/api/api.ts'
import { changeHeaders } from '#client/api/fetch-api.ts'
import { refusalIn, type SendFile, type UploadedFile, uploadedIn } from './uploaded.ts'

const endpoint = '/api/v1/tus'
/** In bytes; proxies before the server may hold back a whole request. */
const partSize = 4 * 1024 * 1024

/**
 * When to try again, in milliseconds, for about ten minutes. Each part that arrives begins the list
 * anew.
 */
const retryDelays = [500, 1000, 3000, 5000, ...Array<number>(40).fill(15_000)]

/**
 * Sends a file in parts. After a lost connection it asks the server what has arrived, and continues
 * from there.
 *
 * @source https://tus.io/protocols/resumable-upload (1.0)
 */
export const sendInParts: SendFile = (file, { onProgress, signal }) =>
  new Promise((resolve, reject) => {
    const upload = new Upload(file, {
      endpoint,
      chunkSize: partSize,
      retryDelays,
      metadata: { filename: file.name, filetype: file.type },
      // A page that is loaded anew does not have the file anymore.
      storeFingerprintForResuming: false,
      onBeforeRequest(request) {
        for (const [name, value] of Object.entries(changeHeaders())) request.setHeader(name, value)
      },
      onShouldRetry: (error) =>
        !signal.aborted && mayRetry(error.originalResponse?.getStatus() ?? 0),
      // The server had begun it when it was cancelled.
      onUploadUrlAvailable: () => signal.aborted && giveUp(),
      onProgress: (sent, total) => onProgress(sent / total),
      onError: (error) => reject(refusal(error)),
      onSuccess: ({ lastResponse }) => {
        const uploaded = uploadedIn(lastResponse.getBody(), file)
        if (uploaded) resolve(uploaded)
        else askForFile(upload.url ?? '', file).then(resolve, reject)
      },
    })
    // The server deletes unfinished uploads after a day anyway.
    const giveUp = () => void upload.abort(true).catch(() => undefined)
    signal.addEventListener('abort', () => {
      // Only what has an address can be deleted: a request for one goes to its end.
      if (upload.url) giveUp()
      reject(new CallError('', 'ABORTED', 0))
    })
    if (signal.aborted) reject(new CallError('', 'ABORTED', 0))
    else upload.start()
  })

/** Whether a failure may pass: no answer, a part that came twice, or a busy server. */
function mayRetry(status: number): boolean {
  return status === 0 || status === 409 || status === 423 || status === 429 || status >= 500
}

/** The answer to the last part was lost: an empty part after it is answered in the same way. */
async function askForFile(url: string, file: File): Promise<UploadedFile> {
  const response = await fetch(url, {
    method: 'PATCH',
    headers: {
      'Tus-Resumable': '1.0.0',
      'Upload-Offset': String(file.size),
      'Content-Type': 'application/offset+octet-stream',
      ...changeHeaders(),
    },
  }).catch(() => undefined)
  if (!response) throw new CallError('', 'NETWORK', 0)
  const reply = await response.text()
  const uploaded = uploadedIn(reply, file)
  if (!uploaded) throw refusalIn(reply, response.status)
  return uploaded
}

function refusal(error: Error): CallError {
  const response = error instanceof DetailedError ? error.originalResponse : null
  if (!response) return new CallError('', 'NETWORK', 0)
  return refusalIn(response.getBody(), response.getStatus())
}
