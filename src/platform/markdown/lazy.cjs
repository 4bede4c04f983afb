/**
 * Libraries and tables that are slow to load, each loaded when a message first needs it. This is
 * CommonJS because `require` is synchronous and esbuild can still bundle it: keep its arguments
 * literals.
 */
exports.katex = () => require('katex')
exports.re2 = () => require('re2js')
exports.topLevelDomains = () => require('tlds')
exports.highlighting = () => require('./highlighter.cjs')
