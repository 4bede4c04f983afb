let domains

/** Loads the list on first use. CommonJS, because only `require` loads synchronously. */
exports.disposableDomains = () => {
  domains ??= require('disposable-email-domains-js').disposableEmailBlocklistSet()
  return domains
}
