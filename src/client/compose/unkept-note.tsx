import { signal } from '@preact/signals'
import { X } from 'lucide'
import { useApp } from '#client/app-context.ts'
import { onStorageRefused, tabValues } from '#client/ui/browser-storage.ts'
import { IconButton } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'

/** In the tab's storage: it was dismissed in this session. */
const key = 'parley:unkept-told'
/** The same, for a browser that keeps nothing. */
const isDismissed = signal(false)

const isRefused = signal(false)
onStorageRefused(() => {
  isRefused.value = true
})

/** Says once a session that the browser keeps nothing of what one writes. */
export function UnkeptNote() {
  const { store } = useApp()
  if (!isRefused.value || isDismissed.value || tabValues.getItem(key) !== null) return null
  return (
    <div class="row banner" role="status">
      <span class="grow banner-text">
        {store.settings.value.enable_drafts_synchronization
          ? t(
              "Your browser's storage is full or blocked. Drafts are saved on the server, but what you write while offline is lost when you close this page.",
            )
          : t(
              "Your browser's storage is full or blocked. What you have not sent is lost when you close this page.",
            )}
      </span>
      <IconButton
        label={t('Dismiss')}
        icon={X}
        size={16}
        onClick={() => {
          tabValues.setItem(key, '1')
          isDismissed.value = true
        }}
      />
    </div>
  )
}
