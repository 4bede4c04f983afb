import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import type { SheetKind } from '#client/keys/help-sheet.tsx'
import type { Overlay } from '#client/narrow/narrow.ts'
import { withSettingsStyles } from './parts.ts'

interface SheetProps {
  readonly kind: SheetKind
  readonly onClose: () => void
}

/** The sheet that the address asks for; loaded when it is first shown. */
export function Sheets() {
  const app = useApp()
  const [sheet, setSheet] = useState<{ Component: ComponentType<SheetProps> }>()
  const kind = kindOf(app.router.overlay.value)
  useEffect(() => {
    if (!kind || sheet) return
    withSettingsStyles(import('#client/keys/help-sheet.tsx')).then(
      ({ HelpSheet }) => setSheet({ Component: HelpSheet }),
      () => app.router.closeOverlay(),
    )
  }, [kind])
  if (!kind || !sheet) return null
  return <sheet.Component key={kind} kind={kind} onClose={() => app.router.closeOverlay()} />
}

function kindOf(overlay: Overlay | undefined): SheetKind | undefined {
  switch (overlay?.kind) {
    case 'keyboard-shortcuts':
    case 'message-formatting':
    case 'search-operators':
      return overlay.kind
    default:
      return undefined
  }
}
