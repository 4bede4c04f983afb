import { h } from 'preact'

/** An icon of the `lucide` package: import it by name, so that only what is used is bundled. */
export type IconNode = readonly (readonly [
  tag: string,
  attributes: Readonly<Record<string, string | number | undefined>>,
])[]

/** An icon that points with or against the direction of reading: mirrored from right to left. */
export function pointing(node: IconNode): IconNode {
  return node.map(([tag, attributes]) => [tag, { ...attributes, class: 'pointing' }])
}

interface IconProps {
  readonly node: IconNode
  /** In pixels; 18 if not given. */
  readonly size?: number
  readonly class?: string
  /** The label of the icon; without it, the icon is hidden from assistive technology. */
  readonly label?: string
}

export function Icon({ node, size = 18, class: className, label }: IconProps) {
  return (
    <svg
      class={className ? `icon ${className}` : 'icon'}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : 'true'}
    >
      {node.map(([tag, attributes]) => h(tag, attributes))}
    </svg>
  )
}
