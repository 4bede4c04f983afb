import type { App } from '#client/app.ts'
import { forgetShared, readShared, type SharedContent } from '#client/commands/shared.ts'
import { openSurface } from '#client/commands/surfaces.tsx'
import { targetOfView } from '#client/compose/send.ts'
import type { Narrow } from '#client/narrow/narrow.ts'
import { t } from '#client/ui/t.ts'
import { QuickSwitcher } from './quick-switcher.tsx'

/** Asks where to send what another app has shared, if something waits. */
export async function takeShared(app: App): Promise<void> {
  const shared = await readShared().catch(() => undefined)
  if (!shared) return
  app.router.go(app.router.view.peek(), { replace: true })
  openSurface((onClose) => (
    <QuickSwitcher
      app={app}
      choosing={{
        title: t('Share'),
        head: <SharedHead shared={shared} />,
        onPick(place) {
          onClose()
          void writeTo(app, place, shared)
        },
      }}
      onClose={() => {
        onClose()
        // Closed by the user: the data is not wanted.
        void forgetShared()
      }}
    />
  ))
}

/** Reports that shared data was lost. */
export function tellLost({ router, notify }: App): void {
  router.go(router.view.peek(), { replace: true })
  notify(t('What you shared could not be taken over. Please share it again.'), 'error')
}

function SharedHead({ shared: { text, files } }: { readonly shared: SharedContent }) {
  return (
    <div class="shared">
      {text && <p class="clamp shared-text">{text}</p>}
      {files.length > 0 && (
        <p class="field-help ellipsis">{files.map(({ name }) => name).join(', ')}</p>
      )}
    </div>
  )
}

/** Puts it into the compose box of a conversation. Files wait for a connection there. */
async function writeTo(app: App, place: Narrow, { text, files }: SharedContent): Promise<void> {
  const view = { kind: 'messages', narrow: place } as const
  app.router.go(view)
  const target = targetOfView(view)
  if (!target) return
  app.compose.open(target)
  if (text) app.compose.insert(text, { isBlock: files.length > 0 })
  // The text is a draft now.
  if (files.length === 0) return await forgetShared()
  await connected(app)
  await app.uploads.add(files, (placeholder) => app.compose.insert(placeholder, { isBlock: true }))
  await forgetShared()
}

async function connected({ machine }: App): Promise<void> {
  if (machine.connection.peek().state === 'connected') return
  await new Promise<void>((resolve) => {
    const stop = machine.connection.subscribe(({ state }) => {
      if (state !== 'connected') return
      // Not while it is being subscribed to.
      queueMicrotask(() => stop())
      resolve()
    })
  })
}
