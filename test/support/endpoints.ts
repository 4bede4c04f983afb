import { listEndpoints } from '#program/features.ts'

type Listed = ReturnType<typeof listEndpoints>[number]

/**
 * All endpoints; of incoming webhooks, which one function makes, one for each set of parameters. The
 * tests of integrations try the rest.
 */
export function differentEndpoints(): Listed[] {
  const seen = new Set<string>()
  return listEndpoints().filter(({ endpoint }) => {
    const { path, method, params, reply } = endpoint
    if (!path.startsWith('/external/')) return true
    const kind = JSON.stringify([method, Object.keys(params), Object.keys(reply)])
    if (seen.has(kind)) return false
    seen.add(kind)
    return true
  })
}
