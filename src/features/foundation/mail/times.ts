import { formatLocale, type Translator } from '#translations/translate.ts'

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
  return formatFor(language, timezone || 'UTC').format(time)
}

/** Making a format takes a millisecond, and a request can send hundreds of mails. */
const formats = new Map<string, Intl.DateTimeFormat>()
const mostFormats = 50

function formatFor(language: string, timeZone: string): Intl.DateTimeFormat {
  const key = `${language} ${timeZone}`
  const known = formats.get(key)
  if (known) return known
  // Mail says days before months in English, as most of its readers in the world do.
  const format = new Intl.DateTimeFormat(formatLocale(language === 'en' ? 'en-GB' : language), {
    dateStyle: 'long',
    timeStyle: 'long',
    timeZone,
  })
  if (formats.size >= mostFormats) formats.clear()
  formats.set(key, format)
  return format
}
