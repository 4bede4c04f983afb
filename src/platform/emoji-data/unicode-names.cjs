/** The table of emoji names, loaded on first use: see unicode.ts. */
exports.unicodeNames = () => require('./unicode-names.json')
