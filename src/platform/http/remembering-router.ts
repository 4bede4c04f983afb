import type { Result, Router } from 'hono/router'
import { TrieRouter } from 'hono/router/trie-router'

/** A path with a parameter, an optional one or a wildcard. */
const isPattern = /[:*?]/

/**
 * The router of Hono that accepts all our paths (Hono's own choice first tries to combine them into
 * one pattern). Hono looks for handlers again with each request; this router remembers those of
 * paths without parameters, which are always the same.
 */
export function rememberingRouter<T>(): Router<T> {
  const all = new TrieRouter<T>()
  /** The paths that were added, so that clients cannot fill what is remembered. */
  const fixed = new Set<string>()
  /** Results by path and method. */
  const known = new Map<string, Map<string, Result<T>>>()
  return {
    name: 'RememberingRouter',
    add(method, path, handler) {
      all.add(method, path, handler)
      known.clear()
      if (!isPattern.test(path)) fixed.add(path)
    },
    match(method, path) {
      const found = known.get(path)?.get(method)
      if (found) return found
      const result = all.match(method, path)
      if (fixed.has(path)) {
        const methods = known.get(path) ?? new Map<string, Result<T>>()
        known.set(path, methods.set(method, result))
      }
      return result
    },
  }
}
