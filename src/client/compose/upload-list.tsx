import { RotateCcw, X } from 'lucide'
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
 * progress and a button that cancels, or the reason why they broke off and a button to try again.
 */
export function UploadList({ text, onRemove }: UploadListProps) {
  const { uploads } = useApp()
  const running = uploads.within(text)
  const attached = attachedFiles(text)
  return (
    <>
      {attached.length > 0 && (
        <ul class="cluster tight attached" aria-label={t('Files')}>
          {attached.map(({ name, path, source }) => (
            <li key={source} class="row tight attached-file">
              <span class="center attached-kind" aria-hidden="true">
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
        <ul class="stack tight uploads" aria-label={t('Uploading files')}>
          {running.map((each) => (
            <li
              key={each.placeholder}
              class={
                each.problem.value === undefined ? 'stack upload' : 'stack upload upload-failed'
              }
            >
              <span class="ellipsis">{each.name}</span>
              {each.problem.value === undefined ? (
                <progress max={1} value={each.progress.value} aria-label={each.name} />
              ) : (
                <>
                  <span class="field-problem ellipsis">{each.problem.value}</span>
                  <IconButton
                    label={t('Try to send {name} again', { name: each.name })}
                    icon={RotateCcw}
                    size={14}
                    onClick={() => uploads.retry(each)}
                  />
                </>
              )}
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
