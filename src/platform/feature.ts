import type { SystemContext } from './context.ts'
import type { StatePart } from './events/state.ts'
import type { HealthCheck } from './health/check.ts'
import type { Endpoint } from './http/endpoint.ts'
import type { App } from './http/mount.ts'
import type { Job } from './jobs/jobs.ts'
import type { Metric } from './metrics/metric.ts'
import type { Section } from './openapi/sections.ts'
import type { Quota } from './quotas/quota.ts'
import type { Shape } from './shape.ts'
import type { Listener } from './store/occasions.ts'

/** Adds routes outside the API, such as pages and files. */
export type Pages = (app: App, server: SystemContext) => void

/** The endpoints that a `routes.ts` exports, by name. */
type Routes = Readonly<Record<string, Endpoint>>

/** What a feature contributes to the server. The program assembles the contributions of all. */
export interface Feature {
  /** Its modules of endpoints, by section of the API description. */
  readonly routes?: { readonly [S in Section]?: readonly Routes[] }
  /** Its parts of the reply to `POST /register`. */
  readonly state?: readonly StatePart[]
  /** The shapes of the events that it emits. */
  readonly events?: readonly Shape[]
  /** The limits on what accounts and the organization can hold or do in it. */
  readonly quotas?: readonly Quota[]
  /** Its checks, for `/health`. */
  readonly health?: readonly HealthCheck[]
  /** Its metrics, for `/metrics`. */
  readonly metrics?: readonly Metric[]
  /** Its background work. */
  readonly jobs?: readonly Job[]
  /** What it does when other features announce something, inside their write. */
  readonly on?: readonly Listener[]
  readonly pages?: readonly Pages[]
  /** Pages served also for a deactivated organization: they show no organization data. */
  readonly openPages?: readonly Pages[]
}

/** Declares a feature's manifest, the only part of it that `program/features.ts` imports. */
export function feature(parts: Feature): Feature {
  return parts
}
