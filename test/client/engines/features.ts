/** A feature that not every browser has had for long. */
export interface Feature {
  /** A property, `@rule`, `:pseudo-class`, `function()` or `1unit` of the styles, or one of scripts. */
  readonly name: string
  /** How a script uses it; undefined: styles do. */
  readonly pattern?: RegExp
  /** The first releases of Chromium, Firefox and Safari; Infinity: none of those known here. */
  readonly since: readonly [chromium: number, firefox: number, safari: number]
  /** What happens where it is missing; undefined: the client does not work there. */
  readonly without?: string
}

export const engineNames = ['Chromium', 'Firefox', 'Safari'] as const

const none = Infinity

/**
 * A release counts from which on a feature is whole, but for what no user misses.
 *
 * @source browser-compat-data of MDN, as of August 2026
 */
// biome-ignore format: a table reads best in columns
export const features: readonly Feature[] = [
  // What decides which releases are the oldest.
  { name: 'light-dark()', since: [123, 120, 17.5] },
  { name: 'popovers', pattern: /\.showPopover\(/, since: [114, 125, 17] },
  { name: 'checkVisibility', pattern: /\.checkVisibility\(/, since: [105, 106, 17.4] },
  // What they have.
  { name: ':dir', since: [120, 49, 16.4] },
  { name: ':has', since: [105, 121, 15.4] },
  { name: ':focus-visible', since: [86, 85, 15.4] },
  { name: '@container', since: [105, 110, 16] },
  { name: 'container-type', since: [105, 110, 16] },
  { name: 'color-mix()', since: [111, 113, 16.2] },
  { name: 'hsl()', since: [65, 52, 12.1] },
  { name: 'mask-image', since: [120, 53, 15.4] },
  { name: 'accent-color', since: [93, 92, 15.4] },
  { name: 'translate', since: [104, 72, 14.1] },
  { name: 'scale', since: [104, 72, 14.1] },
  { name: 'contain-intrinsic-height', since: [95, 107, 17] },
  { name: 'overscroll-behavior', since: [63, 59, 16] },
  { name: 'overscroll-behavior-x', since: [63, 59, 16] },
  { name: '1dvh', since: [108, 101, 15.4] },
  { name: 'dialogs', pattern: /\.showModal\(/, since: [37, 98, 15.4] },
  { name: 'inert', pattern: /\binert\b/, since: [102, 112, 15.5] },
  { name: 'copies of arrays', pattern: /\.to(?:Sorted|Reversed|Spliced)\(/, since: [110, 115, 16] },
  { name: 'findLast', pattern: /\.findLast(?:Index)?\(/, since: [97, 104, 15.4] },
  { name: 'hasOwn', pattern: /Object\.hasOwn\(/, since: [93, 92, 15.4] },
  { name: 'looking behind', pattern: /\(\?<[!=]/, since: [62, 78, 16.4] },
  { name: 'AbortSignal.timeout', pattern: /AbortSignal\.timeout\(/, since: [103, 100, 16] },
  { name: 'URL.canParse', pattern: /URL\.canParse\(/, since: [120, 115, 17] },
  { name: 'locks', pattern: /navigator\.locks\b/, since: [69, 96, 15.4] },
  { name: 'OffscreenCanvas', pattern: /new OffscreenCanvas\(/, since: [69, 105, 16.4] },
  { name: 'BroadcastChannel', pattern: /new BroadcastChannel\(/, since: [54, 38, 15.4] },
  // What some of them lack.
  { name: 'field-sizing', since: [123, 152, 26.2], without: 'ui/growing.ts measures the text' },
  { name: 'overflow-anchor', since: [56, 66, 27], without: 'views/pane-scroll.ts holds the row, and nothing else does' },
  { name: 'content-visibility', since: [85, 125, 18], without: 'all rows are laid out' },
  { name: 'scrollbar-color', since: [121, 64, 26.2], without: 'bars have the colors of the system' },
  { name: 'scrollbar-width', since: [121, 64, 18.2], without: 'bars have the width of the system' },
  { name: 'scrollbar-gutter', since: [94, 97, 18.2], without: 'what is beside a bar moves when it appears' },
  { name: 'overflow-clip-margin', since: [90, 102, none], without: 'what reaches over the edge is cut' },
  { name: 'forced-color-adjust', since: [89, 113, none], without: 'there are no forced colors' },
  { name: 'font-variant-emoji', since: [131, 141, none], without: 'the font of emoji is named first' },
  { name: 'user-select', since: [54, 69, none], without: '-webkit-user-select' },
  { name: 'text-size-adjust', since: [54, none, none], without: '-webkit-text-size-adjust' },
  { name: '::-webkit-search-cancel-button', since: [1, none, 1], without: 'the field has no cross' },
  { name: 'idle callbacks', pattern: /requestIdleCallback\(/, since: [47, 55, none], without: 'ui/idle.ts waits a moment' },
  { name: 'vibrate', pattern: /\.vibrate\?\.\(/, since: [32, none, none], without: 'the finger feels nothing' },
  { name: 'taps that close popovers', pattern: /\bclosePopoversByTaps\(/, since: [114, 125, 18.3], without: 'shell/touch.ts closes them' },
  { name: 'calls that outlast their page', pattern: /\bkeepalive\b/, since: [66, 133, 13], without: 'what a page says as it is left may not arrive' },
  { name: 'silent notifications', pattern: /\bsilent:/, since: [43, 132, 16.6], without: 'the system has its own sound as well' },
  { name: 'badges', pattern: /\.setAppBadge\?\.\(/, since: [81, none, 17], without: 'the title and the icon of the page count' },
  { name: 'offers to install', pattern: /'beforeinstallprompt'/, since: [61, none, none], without: 'only the menu of the browser installs' },
  { name: 'Trusted Types', pattern: /\.trustedTypes\?\./, since: [83, 148, 26], without: 'ui/trusted-types.ts uses its rules alone' },
]

/** What is in all releases that the others of the table are in. */
export const everywhere = `
  -webkit-box-orient -webkit-line-clamp -webkit-text-size-adjust -webkit-touch-callout
  -webkit-user-select 1deg 1em 1fr 1ms 1px 1rem 1s 1turn 1vh 1vw ::-webkit-details-marker ::after
  ::backdrop ::before ::file-selector-button ::placeholder ::selection :active :checked :disabled
  :empty :first-child :focus :focus-within :hover :is :last-child :not :placeholder-shown :root
  :where @font-face @import @keyframes @media align-content align-items align-self animation
  appearance aspect-ratio attr() background background-color background-image background-position
  background-repeat background-size border border-block border-bottom border-collapse border-color
  border-end-start-radius border-start-start-radius
  border-inline border-inline-end border-inline-start border-inline-start-color border-radius
  border-top border-width bottom box-shadow box-sizing break-inside calc() clamp() clip-path color
  color-scheme column-gap columns contain content cursor display env() fill filter flex flex-basis
  flex-direction flex-shrink flex-wrap float font font-display font-family font-size font-style
  font-variant-numeric font-weight format() gap grid-area grid-auto-rows grid-column grid-row
  grayscale() grid-template grid-template-areas grid-template-columns height inline-size inset inset()
  inset-block inset-inline inset-inline-end inset-inline-start justify-content justify-items
  justify-self left letter-spacing line-height linear-gradient() list-style margin margin-block
  margin-bottom margin-inline margin-inline-end margin-inline-start margin-top max() max-height
  max-width min() min-height min-width minmax() object-fit opacity order outline outline-offset
  overflow overflow-wrap overflow-x overflow-y padding padding-block padding-bottom padding-inline
  padding-inline-end padding-inline-start padding-top place-content place-items pointer-events
  position repeat() resize rgb() rotate() scroll-margin-block scroll-padding-block src stroke stroke-linecap
  stroke-linejoin stroke-width table-layout text-align text-decoration text-decoration-color
  text-decoration-thickness text-overflow text-underline-offset top touch-action transform
  transform-box transform-origin transition translate() unicode-bidi unicode-range url() var()
  vertical-align visibility white-space width will-change z-index
`

/** What no use in a script may name, as one of the oldest browsers lacks it. */
export const tooNew: readonly string[] = [
  '.isSubsetOf(',
  '.isSupersetOf(',
  '.isDisjointFrom(',
  '.symmetricDifference(',
  '.intersection(',
  '.union(',
  'Iterator.from(',
  'Promise.try(',
  'RegExp.escape(',
  'URL.parse(',
  'Error.isError(',
  'Intl.DurationFormat',
  '.startViewTransition(',
  '.moveBefore(',
  '.fromBase64(',
  '.toBase64(',
  '.toHex(',
  '.bytes()',
  '.getHTML(',
  'new ClipboardItem(',
  'caretPositionFromPoint(',
  'navigation.navigate(',
  "'scrollend'",
  '.setHTML(',
  'Temporal.',
  'new CloseWatcher',
  '.getOrInsert(',
  'Math.sumPrecise(',
  'Float16Array',
  'new URLPattern',
  '.requestClose(',
  'with { type:',
]
