import { Check } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { isFinishing } from './finishing.ts'
import { Icon, type IconNode } from './icon.tsx'
import type { Box, Placement } from './place.ts'
import { Popover } from './popover.tsx'

/** A line of a menu. */
export type MenuItem =
  | {
      readonly kind?: 'action'
      readonly label: string
      readonly icon?: IconNode
      /** The key that does the same, to show. */
      readonly keyHint?: string | undefined
      /** Why it cannot be chosen now. */
      readonly disabled?: string | undefined
      /** Says more below the label. */
      readonly detail?: string
      readonly isDanger?: boolean
      /** Makes it a choice that is on or off. */
      readonly checked?: boolean
      /** A link instead of an action. */
      readonly href?: string
      readonly onSelect?: () => void
    }
  | { readonly kind: 'separator' }
  | { readonly kind: 'heading'; readonly label: string }

interface MenuProps {
  readonly label: string
  readonly anchor: Element | Box
  readonly placement?: Placement
  readonly items: readonly (MenuItem | false | undefined)[]
  readonly onClose: () => void
  /** Something above the items, such as a row of emoji. */
  readonly head?: ComponentChildren
}

/** A menu while it is drawn: arrow keys, Home, End and first letters move, Enter chooses. */
export function Menu({ label, anchor, placement, items, onClose, head }: MenuProps) {
  const typed = useRef({ text: '', at: 0 })

  function onKeyDown(event: KeyboardEvent): void {
    if (isFinishing(event)) return
    const list = event.currentTarget as HTMLElement
    const choices = [...list.querySelectorAll<HTMLElement>('[data-choice]')]
    const at = choices.indexOf(document.activeElement as HTMLElement)
    const target = next(event, choices, at)
    if (!target) return
    event.preventDefault()
    event.stopPropagation()
    // WebKit would go on without a ring.
    target.focus({ focusVisible: true })
  }

  function next(event: KeyboardEvent, choices: HTMLElement[], at: number) {
    switch (event.key) {
      case 'ArrowDown':
        return choices[(at + 1) % choices.length]
      case 'ArrowUp':
        return choices[(at <= 0 ? choices.length : at) - 1]
      case 'Home':
        return choices[0]
      case 'End':
        return choices.at(-1)
      case 'Tab':
        onClose()
        return undefined
    }
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return undefined
    if (event.key === ' ') return undefined
    const now = performance.now()
    const text = now - typed.current.at < 700 ? typed.current.text + event.key : event.key
    typed.current = { text, at: now }
    const from = text.length > 1 ? at : at + 1
    const rotated = [...choices.slice(Math.max(from, 0)), ...choices.slice(0, Math.max(from, 0))]
    return rotated.find((choice) =>
      choice.textContent?.trim().toLowerCase().startsWith(text.toLowerCase()),
    )
  }

  return (
    <Popover
      anchor={anchor}
      placement={placement ?? 'bottom-start'}
      onClose={onClose}
      label={label}
      role="menu"
      class="menu"
      onKeyDown={onKeyDown}
    >
      {head}
      {items.map((item, i) => item && <Line key={keyOf(item, i)} item={item} onClose={onClose} />)}
    </Popover>
  )
}

function Line({ item, onClose }: { readonly item: MenuItem; readonly onClose: () => void }) {
  if (item.kind === 'separator') return <hr class="menu-separator" />
  if (item.kind === 'heading') {
    return (
      <div class="menu-heading" role="presentation">
        {item.label}
      </div>
    )
  }
  const isChoice = item.checked !== undefined
  const content = (
    <>
      {item.icon ? (
        <Icon node={item.icon} size={16} />
      ) : (
        isChoice && <CheckMark on={item.checked} />
      )}
      <span class="grow">
        {item.label}
        {(item.disabled ?? item.detail) && (
          <small class="menu-reason">{item.disabled ?? item.detail}</small>
        )}
      </span>
      {item.icon && item.checked && <Icon node={Check} size={14} />}
      {item.keyHint && <kbd>{item.keyHint}</kbd>}
    </>
  )
  const className = item.isDanger ? 'row menu-item menu-item-danger' : 'row menu-item'
  if (item.href !== undefined) {
    return (
      <a role="menuitem" data-choice class={className} href={item.href} onClick={onClose}>
        {content}
      </a>
    )
  }
  return (
    <button
      type="button"
      data-choice
      class={className}
      {...(isChoice
        ? { role: 'menuitemcheckbox', 'aria-checked': item.checked }
        : { role: 'menuitem' })}
      aria-disabled={item.disabled ? 'true' : undefined}
      onClick={() => {
        if (item.disabled) return
        // Closed first, so that the focus is back before something else takes it.
        onClose()
        item.onSelect?.()
      }}
    >
      {content}
    </button>
  )
}

function keyOf(item: MenuItem, place: number): string {
  return item.kind === 'separator' ? `separator ${place}` : `${item.kind} ${item.label}`
}

function CheckMark({ on }: { readonly on: boolean | undefined }) {
  return <span class="menu-check">{on && <Icon node={Check} size={16} />}</span>
}
