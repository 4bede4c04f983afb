/** A time of Campfire's database, such as `2024-03-01 09:00:00.123456`, in seconds since the epoch. */
export function timeOf(text: string | null): number | undefined {
  const [, seconds = '', fraction = ''] =
    /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(\.\d+)?/.exec(text ?? '') ?? []
  const time = Date.parse(`${seconds.replace(' ', 'T')}Z`) / 1000
  return Number.isNaN(time) ? undefined : time + Number(`0${fraction}`)
}
