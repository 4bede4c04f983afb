/** The version of the client that this page is of. */
export function ownVersion(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[name="client-version"]')?.content
}
