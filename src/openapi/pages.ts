import type { App } from '#http/mount.ts'
import { apiDocument, documentPath } from './document.ts'
import type { ListedEndpoint } from './paths.ts'

/** The server's own API description: as a document for programs. Made once, when first asked for. */
export function mountApiDescription(app: App, listed: readonly ListedEndpoint[]): void {
  let json: string | undefined
  app.get(`/api/v1${documentPath}`, (c) => {
    json ??= JSON.stringify(apiDocument(listed))
    c.header('Access-Control-Allow-Origin', '*')
    return c.body(json, 200, { 'Content-Type': 'application/json' })
  })
}
