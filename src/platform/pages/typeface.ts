/** Leads to the typeface of the web client, which pages outside it use as well. */
export const typefacePath = '/static/inter.woff2'

/** Its declaration in a page's style, the same as in the client's `fonts.css`. */
export const typeface = `@font-face {
  font-family: Inter; font-style: normal; font-weight: 100 900; font-display: swap;
  src: url("${typefacePath}") format("woff2");
  unicode-range:
    U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+0304, U+0308, U+0329,
    U+2000-206F, U+20AC, U+2122, U+2191, U+2193, U+2212, U+2215, U+FEFF, U+FFFD;
}
`
