import { callAhead } from '#client/api/fetch-api.ts'
import { isKeptLikely } from '#client/commands/kept-database.ts'
import { showLastScreen } from '#client/commands/last-screen.ts'
import { registration } from '#client/state/registration.ts'
import { loadTypeface } from '#client/ui/typeface.ts'

/**
 * The script in the page itself, which runs before any file is there. Every start waits for the
 * registration, so it is asked for here; if the last page has stored data, what that page showed is
 * drawn instead, before anything else takes time. Then the first file runs (`first-calls.ts`).
 */

/** The page says so in place of the client (`features/web/web-client/old-browsers.ts`). */
const isTooOld = document.documentElement.hasAttribute('data-too-old')
const isWarm = isKeptLikely()
if (isTooOld) {
  // Nothing is loaded.
} else if (isWarm) preloadTypeface()
else {
  void callAhead('POST', '/register', registration)
  loadFirst()
  prepareTimes()
}

/** Called at the end of the page, once its styles are there. */
export function reachEnd(): void {
  if (isTooOld) return
  if (isWarm) void showLastScreen().then(loadFirst)
  // As soon as styles name it, so that the screen need not be laid out twice.
  else void loadTypeface()
}

/** Its file is on the way since the browser read the page; it runs as soon as it is there. */
function loadFirst(): void {
  const link = document.querySelector<HTMLLinkElement>('#first-calls')
  // As with any script of a page: if it cannot be loaded, there is none.
  if (link) import(link.href).catch(() => {})
}

/** For its first times, a browser lists all languages, which takes longer than to lay out a screen. */
function prepareTimes(): void {
  Intl.DateTimeFormat.supportedLocalesOf(document.documentElement.lang)
}

/** Else all of the picture would be laid out again with it. */
function preloadTypeface(): void {
  const link = document.querySelector<HTMLLinkElement>('#typeface')
  if (link) link.rel = 'preload'
}
