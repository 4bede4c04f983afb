import { useComputed } from '@preact/signals'
import { useApp } from '#client/app-context.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { t } from '#client/ui/t.ts'

/** About Parley, with the server's version. */
export function About({ onClose }: { readonly onClose: () => void }) {
  const app = useApp()
  const version = useComputed(() => app.store.realm.value.zulip_version)
  return (
    <Dialog title={t('About')} size="small" isAddressed onClose={onClose}>
      <p>{t('Parley, a team chat server in one file.')}</p>
      <p class="field-help">{t('Server version {version}', { version: version.value })}</p>
    </Dialog>
  )
}
