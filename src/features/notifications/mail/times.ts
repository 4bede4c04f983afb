import type { Translator } from '#translations/translate.ts'

/**
 * A time in the reader's language and time zone, for a mail or a page.
 *
 * @param time milliseconds since the epoch
 * @param timezone as in the account; '': UTC
 */
export function mailTime(
  { language }: Pick<Translator, 'language'>,
  time: number,
  timezone: string,
): string {
  // Mail says days before months in English, as most of its readers in the world do.
  const format = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    dateStyle: 'long',
    timeStyle: 'long',
    timeZone: timezone || 'UTC',
  })
  return format.format(time)
}
