import { X } from 'lucide'
import { useApp } from '#client/app-context.ts'
import { kindOf } from '#client/messages/file-links.ts'
import { IconButton } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'
import { attachedFiles } from './attached-files.ts'

interface UploadListProps {
  readonly text: string
  /** Removes a part of the text. */
  readonly onRemove: (part: string) => void
}

/**
 * The files of a text: linked ones, with a button that removes the link, and pending ones, with
 * progress and a button that cancels.
 */
export function UploadList({ text, onRemove }: UploadListProps) {
  const { uploads } = useApp()
  const running = uploads.within(text)
  const attached = attachedFiles(text)
  return (
    <>
      {attached.length > 0 && (
        <ul class="attached" aria-label={t('Files')}>
          {attached.map(({ name, path, source }) => (
            <li key={source} class="attached-file">
              <span class="attached-kind" aria-hidden="true">
                {kindOf(path)}
                <Picture url={uploads.pictureOf(path)} />
              </span>
              <span class="ellipsis" title={name}>
                {name}
              </span>
              <IconButton
                label={t('Remove {name}', { name })}
                icon={X}
                size={14}
                onClick={() => onRemove(source)}
              />
            </li>
          ))}
        </ul>
      )}
      {running.length > 0 && (
        <ul class="uploads" aria-label={t('Uploading files')}>
          {running.map((each) => (
            <li key={each.placeholder} class="upload">
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
      )}
    </>
  )
}

/** A picture over the kind of its file, if it can be shown. */
function Picture({ url }: { readonly url: string | undefined }) {
  if (url === undefined) return null
  const hide = (event: Event) => (event.currentTarget as HTMLElement).remove()
  return <img src={url} alt="" decoding="async" onError={hide} />
}
