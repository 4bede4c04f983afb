/**
 * The colours of the pages outside the client: the same as in its `tokens.css`, which a test
 * compares. Browsers without `light-dark()` are too old for the client as well.
 */
export const tokens = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#ffffff, #161c1d);
  --paper-side: light-dark(#f4f5f3, #101516);
  --paper-raised: light-dark(#ffffff, #242c2e);
  --paper-sunken: light-dark(#f1f3f1, #101516);
  --paper-hover: light-dark(#e9ecea, #2b3436);
  --ink: light-dark(#1b2223, #e5eae9);
  --ink-soft: light-dark(#535d5f, #a9b3b3);
  --ink-on-accent: light-dark(#ffffff, #06201d);
  --line-soft: light-dark(#e3e6e3, #323c3e);
  --line-strong: light-dark(#c6ccc9, #414c4e);
  --line-control: light-dark(#868f8f, #78858a);
  --accent: light-dark(#0b7268, #4cc3b3);
  --accent-strong: light-dark(#085a52, #7fd9cc);
  --link: light-dark(#0b6bb5, #74b6f2);
  --danger: light-dark(#b42318, #ff8f85);
  --paper-danger: light-dark(#fdecea, #3a1d1b);
  --success: light-dark(#1a7a3c, #62c98a);
  --warning: light-dark(#8a5a00, #e8b54d);
  --shadow-ink: light-dark(rgb(30 25 15 / 16%), rgb(0 0 0 / 55%));
}
`
