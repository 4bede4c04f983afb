import { type ReadonlySignal, type Signal, signal } from '@preact/signals-core'
import { CallError } from '#client/api/api.ts'
import { isPassing } from '#client/state/machine.ts'
import type { Store } from '#client/state/store.ts'
import { t, tRefusal } from '#client/ui/t.ts'
import type { SendFile, UploadedFile } from './uploaded.ts'

/** A pending upload. */
export interface Upload {
  readonly name: string
  /** The placeholder in the text, until a link replaces it. */
  readonly placeholder: string
  /** From 0 to 1. */
  readonly progress: ReadonlySignal<number>
  /** Why it broke off; it waits for `retry` or `cancel`. */
  readonly problem: ReadonlySignal<string | undefined>
}

/**
 * The pending uploads. They belong to the text with their placeholder, not to a text box: it may be
 * a draft of another conversation when a file arrives.
 */
export interface Uploads {
  readonly all: ReadonlySignal<readonly Upload[]>
  /** Uploads whose placeholder is in a text. Reading it subscribes. */
  within(text: string): readonly Upload[]
  /**
   * Sends files.
   *
   * @param insert puts a placeholder into the text
   */
  add(files: readonly File[], insert: (placeholder: string) => void): Promise<void>
  /** Sends a file again that broke off. */
  retry(upload: Upload): void
  /** Ends it, and removes its placeholder. */
  cancel(upload: Upload): void
  /** The URL of a picture that this window has uploaded lately, by its path on the server. */
  pictureOf(path: string): string | undefined
}

/** How many pictures' files the browser keeps, to show them without loading them again. */
const mostPictures = 20

interface UploadsParts {
  readonly store: Store
  readonly send: SendFile
  /**
   * Replaces a placeholder in the text that contains it; its line goes with it for an empty text. False if no
   * text contains it anymore.
   */
  replace(placeholder: string, by: string): boolean
  notify(text: string, kind: 'info' | 'error'): void
  /** From 0 to below 1. */
  readonly random?: () => number
}

interface Running extends Upload {
  readonly file: File
  readonly progress: Signal<number>
  readonly problem: Signal<string | undefined>
  readonly controller: AbortController
}

export function createUploads(parts: UploadsParts): Uploads {
  const { store, send, replace, notify, random = Math.random } = parts
  const all = signal<readonly Running[]>([])
  const pictures = new Map<string, string>()

  async function sendOne(file: File, insert: (placeholder: string) => void): Promise<void> {
    const limit = store.realm.peek().max_file_upload_size_mib
    const { name } = file
    if (file.size > limit * 1024 * 1024) {
      notify(t('{name} is larger than {limit} MiB.', { name, limit }), 'error')
      return
    }
    // Unlike that of any other window or of one before a reload.
    const running = uploadOf(file, random().toString(36).slice(2, 8))
    all.value = [...all.peek(), running]
    insert(running.placeholder)
    await run(running)
  }

  async function run(running: Running): Promise<void> {
    const { name, placeholder, file, progress, problem } = running
    let uploaded: UploadedFile
    try {
      uploaded = await send(file, {
        onProgress: (part) => {
          progress.value = part
        },
        signal: running.controller.signal,
      })
    } catch (error) {
      const isLost = error instanceof CallError && error.code === 'NETWORK'
      const isGone = isLost && !(await isReadable(file))
      const reason = isGone
        ? t('It cannot be read: it is a folder, or was changed or removed.')
        : problemOf(error)
      if (reason) notify(t('{name} was not sent: {problem}', { name, problem: reason }), 'error')
      if (reason && !isGone && mayPass(error)) problem.value = reason
      else remove(running)
      return
    }
    all.value = all.peek().filter((each) => each !== running)
    keepPicture(pictures, uploaded, file)
    if (!replace(placeholder, linkTo(uploaded, file.type))) {
      notify(t('{name} was uploaded, but the message it belonged to is gone.', { name }), 'info')
    }
  }

  function remove(running: Running): void {
    all.value = all.peek().filter((each) => each !== running)
    replace(running.placeholder, '')
  }

  return {
    all,
    within: (text) => all.value.filter(({ placeholder }) => text.includes(placeholder)),
    async add(files, insert) {
      await Promise.all(files.map((file) => sendOne(file, insert)))
    },
    pictureOf: (path) => pictures.get(path),
    retry(upload) {
      const running = upload as Running
      if (!running.problem.peek()) return
      running.problem.value = undefined
      running.progress.value = 0
      void run(running)
    },
    cancel(upload) {
      const running = upload as Running
      if (running.problem.peek()) remove(running)
      else running.controller.abort()
    },
  }
}

/** @param mark of its placeholder */
function uploadOf(file: File, mark: string): Running {
  const { name } = file
  return {
    name,
    placeholder: `[${t('Uploading {name}…', { name: plainLabel(name) })} (${mark})]()`,
    file,
    progress: signal(0),
    problem: signal(undefined),
    controller: new AbortController(),
  }
}

function keepPicture(pictures: Map<string, string>, { url }: UploadedFile, file: File): void {
  if (!/^image\/(?!svg)/.test(file.type)) return
  pictures.set(url, URL.createObjectURL(file))
  const [oldest] = pictures
  if (!oldest || pictures.size <= mostPictures) return
  URL.revokeObjectURL(oldest[1])
  pictures.delete(oldest[0])
}

/** Why a file was not sent, in words; undefined: it was cancelled. */
function problemOf(error: unknown): string | undefined {
  if (!(error instanceof CallError)) return t('Something went wrong.')
  if (error.code === 'ABORTED') return undefined
  return tRefusal(error) || t('The connection was lost.')
}

/**
 * Whether there is a file to send. Browsers pass a folder that is dropped or pasted as a file, and say of
 * it, and of a file that is another one by now, that the connection was lost.
 */
async function isReadable(file: File): Promise<boolean> {
  return await file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )
}

/** Whether the same file may be taken the next time. */
function mayPass(error: unknown): boolean {
  return error instanceof CallError && (isPassing(error) || error.status === 401)
}

/** Sounds get a player where they stand; a link to a picture or video shows it below. */
function linkTo({ name, url }: UploadedFile, type: string): string {
  return `${type.startsWith('audio/') ? '!' : ''}[${plainLabel(name)}](${url})`
}

function plainLabel(name: string): string {
  return name.replace(/[[\]]/g, '')
}
