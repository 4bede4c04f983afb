/** What went wrong, in words. Nothing if there is none. */
export function Problem({ text }: { readonly text: string | null | undefined }) {
  if (!text) return null
  return (
    <p class="field-problem" role="alert">
      {text}
    </p>
  )
}
