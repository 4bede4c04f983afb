import { X } from 'lucide'
import { useApp } from '#client/app-context.ts'
import { IconButton } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'

/** The files of a text that are on their way, with progress and a button that cancels. */
export function UploadList({ text }: { readonly text: string }) {
  const { uploads } = useApp()
  const shown = uploads.within(text)
  if (shown.length === 0) return null
  return (
    <ul class="uploads" aria-label={t('Uploading files')}>
      {shown.map((each) => (
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
  )
}
