import { useComputed } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Overlay } from '#client/narrow/narrow.ts'
import { ErrorBoundary } from '#client/start/screens.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { t } from '#client/ui/t.ts'
import { useApp } from './app-context.ts'
import { InviteDialog, PersonPage, Settings } from './parts.ts'

/** What the address puts over the view, besides the sheets of help. */
export function Overlays() {
  const app = useApp()
  const overlay = app.router.overlay.value
  const close = () => app.router.closeOverlay()
  switch (overlay?.kind) {
    case 'channels':
    case 'channel':
      return <LazyBrowser overlay={overlay} onClose={close} />
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
      return <Later title={t('Groups')} onClose={close} />
    case 'invite':
      return (
        <ErrorBoundary>
          <InviteDialog onClose={close} />
        </ErrorBoundary>
      )
    default:
      return null
  }
}

type ChannelOverlay = Extract<Overlay, { readonly kind: 'channels' | 'channel' }>

interface BrowserProps {
  readonly overlay: ChannelOverlay
  readonly onClose: () => void
}

/** The channel browser, loaded when it is first opened. */
function LazyBrowser(props: BrowserProps) {
  const app = useApp()
  const [loaded, setLoaded] = useState<{ Browser: ComponentType<BrowserProps> }>()
  useEffect(() => {
    import('./channel-browser.tsx').then(
      ({ ChannelBrowser }) => setLoaded({ Browser: ChannelBrowser }),
      () => {
        app.notify(t('This part could not be loaded. Check the connection and try again.'), 'error')
        props.onClose()
      },
    )
  }, [])
  return loaded ? <loaded.Browser {...props} /> : null
}

function About({ onClose }: { readonly onClose: () => void }) {
  const app = useApp()
  const version = useComputed(() => app.store.realm.value.zulip_version)
  return (
    <Dialog title={t('About')} size="small" onClose={onClose}>
      <p>{t('Parley, a team chat server in one file.')}</p>
      <p class="field-help">{t('Server version {version}', { version: version.value })}</p>
    </Dialog>
  )
}

/** What other apps can do already. */
function Later({ title, onClose }: { readonly title: string; readonly onClose: () => void }) {
  return (
    <Dialog title={title} size="small" onClose={onClose}>
      <p>{t('The web client cannot do this yet. Other apps that you connect can.')}</p>
      <p class="dialog-actions">
        <a class="button button-primary" href="/connect">
          {t('Connect apps')}
        </a>
      </p>
    </Dialog>
  )
}
