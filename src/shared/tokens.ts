/**
 * The colors of the client, of all other pages and of mails, by what they are for, in both themes.
 * The client's `tokens.css` adds those that it alone has.
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
} as const

/** The same for styles. Browsers without `light-dark()` are too old for the client as well. */
export const tokens = `
:root {
  color-scheme: light dark;
${Object.entries(colors)
  .map(([name, { light, dark }]) => `  --${name}: light-dark(${light}, ${dark});`)
  .join('\n')}
}
`
