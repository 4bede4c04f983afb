import { Copy } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useApp } from '#client/app-context.ts'
import { copy } from '#client/commands/message-actions.ts'
import { IconButton } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'

interface SecretProps {
  /** May have several lines. */
  readonly text: string
  /** The name of the button that copies it. */
  readonly copyLabel: string
  /** Further buttons. */
  readonly children?: ComponentChildren
}

/** A key, password or link to hand over, with a button that copies it. */
export function Secret({ text, copyLabel, children }: SecretProps) {
  const app = useApp()
  return (
    <div class="key-row">
      <pre class="secret">{text}</pre>
      <IconButton
        label={copyLabel}
        icon={Copy}
        size={16}
        onClick={() => void copy(app, text, t('Copied.'))}
      />
      {children}
    </div>
  )
}
