import { type ReadonlySignal, signal } from '@preact/signals'
import { X } from 'lucide'
import type { App } from '#client/app.ts'
import { IconButton } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'
import { type Upload, upload, uploadMarkdown, uploadPlaceholder } from './upload.ts'

/** The files of one text box that are on their way. */
export interface Uploads {
  readonly list: ReadonlySignal<readonly Upload[]>
  add(files: readonly File[]): Promise<void>
  cancel(upload: Upload): void
}

interface UploadTarget {
  /** Inserts text at the caret, on a line of its own. */
  insert(text: string): void
  /** Replaces text wherever it is by now: the user may have gone to another conversation. */
  replace(text: string, by: string): void
}

export function createUploads(app: App, target: UploadTarget): Uploads {
  const list = signal<readonly Upload[]>([])
  const remove = ({ id }: Upload) => {
    list.value = list.peek().filter((each) => each.id !== id)
  }

  async function send(file: File): Promise<void> {
    const limit = app.store.realm.peek().max_file_upload_size_mib
    if (file.size > limit * 1024 * 1024) {
      app.notify(
        t('{name} is larger than {limit} MiB.', { name: file.name, limit: limit }),
        'error',
      )
      return
    }
    const { upload: started, done } = upload(file)
    const placeholder = uploadPlaceholder(started)
    list.value = [...list.peek(), started]
    target.insert(placeholder)
    const uploaded = await done
    remove(started)
    target.replace(placeholder, uploaded ? uploadMarkdown(uploaded) : '')
    const problem = started.problem.peek()
    if (problem === undefined) return
    const text = problem || t('The connection was lost.')
    app.notify(t('{name} was not sent: {problem}', { name: file.name, problem: text }), 'error')
  }

  return {
    list,
    add: async (files) => void (await Promise.all(files.map(send))),
    cancel: (started) => started.cancel(),
  }
}

/** What is on its way, with progress and a button that ends it. */
export function UploadList({ uploads }: { readonly uploads: Uploads }) {
  if (uploads.list.value.length === 0) return null
  return (
    <ul class="uploads" aria-label={t('Files being sent')}>
      {uploads.list.value.map((each) => (
        <li key={each.id} class="upload">
          <span class="ellipsis">{each.name}</span>
          <progress max={1} value={each.progress.value} aria-label={each.name} />
          <IconButton
            label={t('Cancel {name}', { name: each.name })}
            icon={X}
            size={14}
            onClick={() => uploads.cancel(each)}
          />
        </li>
      ))}
    </ul>
  )
}
