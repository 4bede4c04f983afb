/**
 * The script of the pages: it uploads the file in parts, from where an earlier try ended, and
 * follows the server's progress. It runs under a policy that allows scripts and requests of this
 * server alone.
 */
export const script = `'use strict'
const upload = document.querySelector('form[data-upload]')
const watch = document.querySelector('[data-watch]')
const wait = (ms) => new Promise((done) => setTimeout(done, ms))
const headers = (token) => ({ 'Setup-Token': token, 'Tus-Resumable': '1.0.0' })
const megabytes = (bytes) =>
  new Intl.NumberFormat(document.documentElement.lang + '-u-nu-latn', {
    style: 'unit',
    unit: 'megabyte',
    maximumFractionDigits: bytes < 1e7 ? 1 : 0,
  }).format(bytes / 1e6)
const texts = upload ? JSON.parse(upload.dataset.texts) : {}
const said = (name, values) => texts[name].replace(/{(\\w+)}/g, (_, key) => values[key])

function show(text, done, total) {
  const status = document.querySelector('[role=status]')
  const bar = document.querySelector('progress')
  status.textContent = text
  bar.hidden = false
  if (total > 0) {
    bar.max = total
    bar.value = done
  } else bar.removeAttribute('value')
}

function base64(text) {
  let bytes = ''
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte)
  return btoa(bytes)
}

async function problemOf(reply) {
  try {
    return (await reply.json()).msg
  } catch {
    return said('refused', { status: reply.status })
  }
}

/** How much of the file the server has; undefined: it has another one, or none. */
async function offsetOf(file, url, token) {
  const reply = await fetch(url, { method: 'HEAD', headers: headers(token) })
  if (reply.status >= 500) throw new Error('again')
  const name = 'filename ' + base64(file.name)
  const isSame = reply.ok && reply.headers.get('Upload-Metadata') === name &&
    reply.headers.get('Upload-Length') === String(file.size)
  return isSame ? Number(reply.headers.get('Upload-Offset')) : undefined
}

async function send(file, url, token) {
  let size = 8 * 1024 * 1024
  let offset = upload.dataset.begun ? await offsetOf(file, url, token) : undefined
  if (offset === undefined) {
    const reply = await fetch(url, {
      method: 'POST',
      headers: {
        ...headers(token),
        'Upload-Length': String(file.size),
        'Upload-Metadata': 'filename ' + base64(file.name),
      },
    })
    if (!reply.ok) return await problemOf(reply)
    offset = 0
    upload.dataset.begun = 'yes'
  }
  for (let tries = 0; offset < file.size; ) {
    show(said('uploading', { received: megabytes(offset), length: megabytes(file.size) }), offset, file.size)
    try {
      const reply = await fetch(url, {
        method: 'PATCH',
        headers: {
          ...headers(token),
          'Upload-Offset': String(offset),
          'Content-Type': 'application/offset+octet-stream',
        },
        body: file.slice(offset, offset + size),
      })
      if (reply.ok) {
        offset = Number(reply.headers.get('Upload-Offset'))
        tries = 0
      } else if (reply.status === 413 && size > 512 * 1024) size /= 2
      else if (reply.status === 409 || reply.status >= 500) throw new Error('again')
      else return await problemOf(reply)
    } catch {
      tries++
      if (tries > 100) return said('lost')
      show(said('retrying'), offset, file.size)
      await wait(Math.min(500 * tries, 10000))
      const found = await offsetOf(file, url, token).catch(() => offset)
      if (found === undefined) return said('gone')
      offset = found
    }
  }
  return ''
}

if (upload) {
  const input = upload.querySelector('input[type=file]')
  const button = upload.querySelector('button')
  addEventListener('beforeunload', (event) => button.disabled && !upload.dataset.sent && event.preventDefault())
  upload.addEventListener('submit', async (event) => {
    const file = input.files[0]
    if (!file) return
    event.preventDefault()
    button.disabled = true
    const alert = document.querySelector('[role=alert]')
    if (alert) alert.remove()
    const token = upload.elements.token.value
    const problem = await send(file, upload.dataset.upload, token).catch(() => said('failed'))
    button.disabled = false
    if (problem === '') {
      upload.dataset.sent = 'yes'
      upload.submit()
    } else show(problem, 0, 1)
  })
}

async function follow() {
  for (;;) {
    await wait(700)
    try {
      const reply = await fetch(watch.dataset.watch, { headers: headers(watch.dataset.token) })
      const state = await reply.json()
      if (state.step !== watch.dataset.step) return location.reload()
      show(state.text, state.done, state.total)
    } catch {
      // The server may be busy, or starting again: the next look will tell.
    }
  }
}

if (watch) void follow()

const who = document.querySelector('select[name=person]')
if (who) {
  const email = document.querySelector('input[name=email]')
  const name = document.querySelector('[data-stranger]')
  const adapt = () => {
    if (name) {
      name.hidden = who.value !== ''
      name.querySelector('input').disabled = name.hidden
    }
    if (email && !email.dataset.typed) email.value = who.selectedOptions[0].dataset.email || ''
  }
  if (email) email.addEventListener('input', () => { email.dataset.typed = 'yes' })
  who.addEventListener('change', adapt)
  adapt()
}
`
