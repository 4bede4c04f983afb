/** What a link of the web client leads to. */
export interface LinkedPlace {
  readonly channel?: number
  readonly topic?: string
  readonly people?: readonly number[]
  /** The ID of a message. */
  readonly near?: number
}

/** The path with its hash of a link to one of these servers; undefined for other links. */
export function pathIn(link: string, origins: readonly string[]): string | undefined {
  const trimmed = link.trim()
  if (/^\/?#narrow\/|^\/user_uploads\//.test(trimmed)) return trimmed
  const origin = origins.find((each) => trimmed.startsWith(`${each}/`))
  return origin === undefined ? undefined : trimmed.slice(origin.length)
}

/**
 * The place that a path leads to; undefined if it is none.
 *
 * @param path such as `/#narrow/channel/9-dev/topic/plans/near/12`
 */
export function messageIn(path: string): LinkedPlace | undefined {
  const mark = '#narrow/'
  const at = path.indexOf(mark)
  const parts = at < 0 ? [] : path.slice(at + mark.length).split('/')
  let place: LinkedPlace = {}
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const [operator, operand = ''] = [parts[i], parts[i + 1]]
    const id = Number.parseInt(operand, 10)
    if (operator === 'channel' || operator === 'stream') place = { ...place, channel: id }
    else if (operator === 'topic' || operator === 'subject')
      place = { ...place, topic: decoded(operand) }
    else if (operator === 'dm' || operator === 'pm-with')
      place = { ...place, people: idsIn(operand) }
    else if (operator === 'near' || operator === 'with' || operator === 'id')
      place = { ...place, near: id }
    else return undefined
  }
  const ids = [place.channel ?? 1, place.near ?? 1, ...(place.people ?? [])]
  const isPlace = place.channel !== undefined || place.people || place.near !== undefined
  return isPlace && ids.every((id) => Number.isSafeInteger(id) && id > 0) ? place : undefined
}

/** `7,9-dm` */
function idsIn(operand: string): number[] {
  return (operand.split('-')[0] ?? '').split(',').map(Number)
}

/** Undoes `encodeHashComponent`. */
function decoded(component: string): string {
  try {
    return decodeURIComponent(component.replaceAll('.', '%'))
  } catch {
    return component
  }
}
