/**
 * A time in the reader's time zone, for a mail.
 *
 * @param time milliseconds since the epoch
 * @param timezone as in the account; '': UTC
 */
export function mailTime(time: number, timezone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'long',
    timeStyle: 'long',
    timeZone: timezone || 'UTC',
  })
  return format.format(time)
}
