import { useComputed } from '@preact/signals'
import { useApp } from '#client/app-context.ts'
import { hasFirstSteps } from '#client/settings/first-steps/plan.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { ErrorBoundary } from '#client/ui/error-boundary.tsx'
import { t } from '#client/ui/t.ts'
import {
  ChannelSettings,
  FirstSteps,
  GroupSettings,
  InviteDialog,
  PersonPage,
  Settings,
} from './parts.ts'

/** What the address puts over the view, besides the sheets of help. */
export function Overlays() {
  const app = useApp()
  const overlay = app.router.overlay.value
  const close = () => app.router.closeOverlay()
  switch (overlay?.kind) {
    case 'channels':
    case 'channel':
      return (
        <ErrorBoundary>
          <ChannelSettings overlay={overlay} onClose={close} />
        </ErrorBoundary>
      )
    case 'user':
      return (
        <ErrorBoundary>
          <PersonPage key={overlay.userId} userId={overlay.userId} onClose={close} />
        </ErrorBoundary>
      )
    case 'about':
      return <About onClose={close} />
    case 'settings':
      return (
        <ErrorBoundary>
          <Settings area={overlay.area} path={overlay.path} onClose={close} />
        </ErrorBoundary>
      )
    case 'groups':
    case 'group':
      return (
        <ErrorBoundary>
          <GroupSettings overlay={overlay} onClose={close} />
        </ErrorBoundary>
      )
    case 'invite':
      return (
        <ErrorBoundary>
          <InviteDialog onClose={close} />
        </ErrorBoundary>
      )
    default:
      return hasFirstSteps(app.store) ? (
        <ErrorBoundary>
          <FirstSteps />
        </ErrorBoundary>
      ) : null
  }
}

function About({ onClose }: { readonly onClose: () => void }) {
  const app = useApp()
  const version = useComputed(() => app.store.realm.value.zulip_version)
  return (
    <Dialog title={t('About')} size="small" isAddressed onClose={onClose}>
      <p>{t('Parley, a team chat server in one file.')}</p>
      <p class="field-help">{t('Server version {version}', { version: version.value })}</p>
    </Dialog>
  )
}
