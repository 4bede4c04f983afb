/** The choices of a profile field in their order. @param data JSON text of the API */
export function fieldChoices(data: string): { value: string; label: string }[] {
  const choices = parsed(data)
  if (typeof choices !== 'object' || choices === null) return []
  return Object.entries(choices as Record<string, { text?: unknown; order?: unknown }>)
    .sort(([, a], [, b]) => Number(a.order) - Number(b.order))
    .map(([value, { text }]) => ({ value, label: String(text) }))
}

/** The people of a profile field. @param value JSON text of the API: a list of ids */
export function userIdsOf(value: string): number[] {
  const ids = parsed(value)
  return Array.isArray(ids) ? ids.map(Number).filter(Number.isInteger) : []
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
