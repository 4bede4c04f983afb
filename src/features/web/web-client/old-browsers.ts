/**
 * The oldest releases that run the web client, by what it cannot do without. `README.md` says the
 * same, and a test compares them with what the client uses.
 */
export const oldestBrowsers = {
  'Chrome, Edge': '123',
  Firefox: '125',
  Safari: '17.5',
} as const

/** The template of what the script below shows in place of the client. */
export const tooOldId = 'too-old'

/** The attribute of the root element by which the client knows that it must not start. */
export const tooOldMark = 'data-too-old'

/**
 * Says in place of the client that the browser is too old. It is written in the language of
 * 2009: newer syntax is an error in old browsers, and then nothing of the script runs.
 */
export const oldBrowserScript = `(function () {
  var root = document.documentElement
  var css = window.CSS && CSS.supports
  if (css && CSS.supports('color', 'light-dark(red, red)') && root.showPopover && root.checkVisibility && [].toSpliced) return
  root.setAttribute('${tooOldMark}', '')
  document.addEventListener('DOMContentLoaded', function () {
    var app = document.getElementById('app')
    var notice = document.getElementById('${tooOldId}')
    app.parentNode.replaceChild(notice.content || notice, app)
  })
})()`
