import { CallError } from '#client/api/api.ts'
import { changeHeaders } from '#client/api/fetch-api.ts'
import { refusalIn, type SendFile, uploadedIn } from './uploaded.ts'

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
    const fail = (code: string) => reject(new CallError('', code, request.status))
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onabort = () => fail('ABORTED')
    request.onerror = () => fail('NETWORK')
    request.onload = () => {
      const uploaded = uploadedIn(request.responseText, file)
      if (request.status === 200 && uploaded) resolve(uploaded)
      else reject(refusalIn(request.responseText, request.status))
    }
    signal.addEventListener('abort', () => request.abort())
    const form = new FormData()
    form.append('file', file, file.name)
    request.open('POST', '/json/user_uploads')
    for (const [name, value] of Object.entries(changeHeaders())) {
      request.setRequestHeader(name, value)
    }
    request.send(form)
  })
