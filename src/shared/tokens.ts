/**
 * The colors of the client, of all other pages and of mails, by what they are for, in both themes.
 * The client's `tokens.css` adds those that it alone has, and the scales of spaces and sizes.
 */
export const colors = {
  paper: { light: '#ffffff', dark: '#161c1d' },
  'paper-side': { light: '#f4f5f3', dark: '#101516' },
  'paper-raised': { light: '#ffffff', dark: '#242c2e' },
  'paper-sunken': { light: '#f1f3f1', dark: '#101516' },
  'paper-hover': { light: '#e9ecea', dark: '#2b3436' },
  'paper-active': { light: '#dcefeb', dark: '#143f3a' },
  ink: { light: '#1b2223', dark: '#e5eae9' },
  'ink-soft': { light: '#535d5f', dark: '#a9b3b3' },
  'ink-on-accent': { light: '#ffffff', dark: '#06201d' },
  'line-soft': { light: '#e3e6e3', dark: '#323c3e' },
  'line-strong': { light: '#c6ccc9', dark: '#414c4e' },
  'line-control': { light: '#868f8f', dark: '#78858a' },
  accent: { light: '#0b7268', dark: '#4cc3b3' },
  'accent-strong': { light: '#085a52', dark: '#7fd9cc' },
  link: { light: '#0b6bb5', dark: '#74b6f2' },
  danger: { light: '#b42318', dark: '#ff8f85' },
  'paper-danger': { light: '#fdecea', dark: '#3a1d1b' },
  success: { light: '#1a7a3c', dark: '#62c98a' },
  warning: { light: '#8a5a00', dark: '#e8b54d' },
  'shadow-ink': { light: 'rgb(30 25 15 / 16%)', dark: 'rgb(0 0 0 / 55%)' },
  'code-comment': { light: '#6a7076', dark: '#8d949b' },
  'code-keyword': { light: '#8f2fae', dark: '#d79bf0' },
  'code-string': { light: '#1a7340', dark: '#8fd6a5' },
  'code-number': { light: '#a34a06', dark: '#f0b07a' },
  'code-name': { light: '#0b5cad', dark: '#86bff5' },
  'code-type': { light: '#0b6b73', dark: '#7fd3d9' },
} as const

/** How round corners are. Mails, which have no variables, take them from here. */
export const radii = { 'radius-small': '4px', radius: '8px', 'radius-large': '12px' } as const

/** The typefaces of texts: Inter where a page brings it, the system's own elsewhere. */
const font =
  'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif'

/**
 * The gradients of avatars without a picture, from the top to the bottom, on all of which white text is
 * readable: the server draws people on them, and the client writes initials.
 */
export const faces: readonly (readonly [top: string, bottom: string])[] = [
  ['#0c7f73', '#0a6158'],
  ['#2a72c2', '#1f56a8'],
  ['#5b63d3', '#3f45a6'],
  ['#8a55cf', '#643aa3'],
  ['#b0479f', '#853078'],
  ['#c8446a', '#96294b'],
  ['#c64a3a', '#97301f'],
  ['#a65b18', '#8a4710'],
  ['#876b14', '#6b530a'],
  ['#35772f', '#2a6527'],
  ['#5a7186', '#3d5063'],
  ['#127894', '#0c5a72'],
]

/** The same for styles. Browsers without `light-dark()` are too old for the client as well. */
export const tokens = `
:root {
  color-scheme: light dark;
${Object.entries(colors)
  .map(([name, { light, dark }]) => `  --${name}: light-dark(${light}, ${dark});`)
  .join('\n')}
${Object.entries(radii)
  .map(([name, radius]) => `  --${name}: ${radius};`)
  .join('\n')}
  --font: ${font};
}
`

/** The gradients of avatars as classes, for the client alone. */
export const faceStyles = faces
  .map(
    ([top, bottom], face) =>
      `.avatar-face-${face} {\n  background: linear-gradient(${top}, ${bottom});\n}\n`,
  )
  .join('')
