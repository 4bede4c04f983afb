/** The table of names, read when it is first needed: see unicode.ts. */
exports.unicodeNames = () => require('./unicode-names.json')
