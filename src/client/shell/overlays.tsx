import { useApp } from '#client/app-context.ts'
import { hasFirstSteps } from '#client/settings/first-steps/plan.ts'
import { ErrorBoundary } from '#client/ui/error-boundary.tsx'
import {
  About,
  ChannelSettings,
  FirstSteps,
  GroupSettings,
  InviteDialog,
  PersonPage,
  Settings,
} from './parts.ts'

/** The overlays of the address, besides the sheets of help. */
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
      return (
        <ErrorBoundary>
          <About onClose={close} />
        </ErrorBoundary>
      )
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
