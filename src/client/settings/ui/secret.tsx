import { Copy } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useApp } from '#client/app-context.ts'
import { copy } from '#client/commands/copy.ts'
import { IconButton } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'

interface SecretProps {
  /** May have several lines. */
  readonly text: string
  /** The name of the button that copies it. */
  readonly copyLabel: string
  /** Cuts it off at the end of its line, where it is copied and not read. */
  readonly isOneLine?: boolean
  /** Further buttons. */
  readonly children?: ComponentChildren
}

/** A key, password or link to hand over, with a button that copies it. */
export function Secret({ text, copyLabel, isOneLine = false, children }: SecretProps) {
  const app = useApp()
  return (
    <div class="row key-row">
      <pre class={isOneLine ? 'secret ellipsis' : 'secret'} title={isOneLine ? text : undefined}>
        {text}
      </pre>
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
