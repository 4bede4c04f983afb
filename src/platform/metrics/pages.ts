import type { SystemContext } from '#platform/context.ts'
import { replyText } from '#platform/http/compression.ts'
import { mayInspect } from '#platform/http/inspection.ts'
import { lightText } from '#platform/http/light/reply.ts'
import type { App } from '#platform/http/mount.ts'
import { SharedText } from '#platform/shared-replies/bytes.ts'
import { expose } from './expose.ts'
import type { Metric } from './metric.ts'

/** Serves `/metrics` for Prometheus, to clients that may inspect the server. */
export function mountMetrics(app: App, server: SystemContext, metrics: readonly Metric[]): void {
  app.get('/metrics', async (c) => {
    if (!mayInspect(server, c))
      return lightText('Only available to the operator of the server.', 403)
    const { text, contentType } = await expose(server, metrics)
    return replyText(c, new SharedText(text), { 'Content-Type': contentType })
  })
}
