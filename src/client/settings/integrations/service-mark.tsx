/** The first letter of a service, where others show a logo. */
export function ServiceMark({ name }: { readonly name: string }) {
  return (
    <span class="service-mark" aria-hidden="true">
      {[...name][0]}
    </span>
  )
}
