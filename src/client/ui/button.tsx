import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { Icon, type IconNode } from './icon.tsx'

type NativeProps = Omit<ButtonHTMLAttributes, 'label' | 'icon' | 'size'>

interface ButtonProps extends NativeProps {
  /** `primary` for the one action a form is for; `danger` for what cannot be undone. */
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger'
  readonly icon?: IconNode
  /** Shows that the action runs, and takes no second click. */
  readonly isBusy?: boolean
  readonly children?: ComponentChildren
}

/** A button with a text. `type="button"` unless it says otherwise. */
export function Button({
  kind = 'plain',
  icon,
  isBusy,
  class: className,
  disabled,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      class={classes('button', `button-${kind}`, className)}
      disabled={disabled || isBusy}
      aria-busy={isBusy ? 'true' : undefined}
    >
      {icon && <Icon node={icon} size={16} />}
      {children}
    </button>
  )
}

interface IconButtonProps extends NativeProps {
  /** Its name, also shown as its tooltip. */
  readonly label: string
  /** Undefined where it is drawn later. */
  readonly icon: IconNode | undefined
  /** The size of the icon, in pixels. */
  readonly size?: number
  /** The tooltip, if it says more than the name, such as a key. */
  readonly hint?: string
}

/** A button that is an icon. */
export function IconButton({
  label,
  icon,
  size,
  hint,
  class: className,
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      title={hint ?? label}
      aria-label={label}
      {...rest}
      class={classes('icon-button', className)}
    >
      {icon && <Icon node={icon} size={size ?? 18} />}
    </button>
  )
}

/** Class names in one text, without those that do not apply. */
export function classes(...names: readonly unknown[]): string {
  return names.filter((name) => typeof name === 'string' && name !== '').join(' ')
}
