/** The first letters of a service on a colour of its own, where others show a logo. */
export function ServiceMark({ name }: { readonly name: string }) {
  const [first = '', second = ''] = name.match(/\p{L}|\p{N}/gu) ?? []
  return (
    <span
      class="service-mark"
      aria-hidden="true"
      ref={(mark) => mark?.style.setProperty('--hue', String(hueOf(name)))}
    >
      {first.toUpperCase()}
      {second.toLowerCase()}
    </span>
  )
}

/** The same for a name everywhere, and far from those of most others. */
function hueOf(name: string): number {
  let hash = 0
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 3600
  return (hash * 137.5) % 360
}
