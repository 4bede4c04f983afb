import type { Method } from '#platform/http/endpoint.ts'
import type { JsonSchema } from './schemas.ts'

/*
 * The part of OpenAPI 3.1 that the server's document needs.
 * @source https://spec.openapis.org/oas/v3.1.0
 */

export interface ApiDocument {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly security: readonly SecurityNeed[]
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, object>>
    readonly responses: Readonly<Record<string, ApiResponse>>
    readonly schemas: Readonly<Record<string, JsonSchema>>
  }
}

export type SecurityNeed = Readonly<Record<string, readonly string[]>>

export type PathItem = Readonly<Partial<Record<Method, Operation>>>

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly deprecated?: true
  readonly security?: readonly SecurityNeed[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: RequestBody
  readonly responses: Readonly<Record<string, ApiResponse | { readonly $ref: string }>>
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required?: true
  readonly deprecated?: true
  readonly description?: string
  /** For plain text parameters. */
  readonly schema?: JsonSchema
  /** For parameters with JSON text. */
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>
}

export interface RequestBody {
  readonly required?: true
  readonly content: Readonly<Record<string, FormBody>>
}

export interface FormBody {
  readonly schema: JsonSchema
  readonly encoding?: Readonly<Record<string, { readonly contentType: string }>>
}

export interface ApiResponse {
  readonly description: string
  readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>>
}
