/** What makes codes and draws them, loaded with the first. As in `platform/markdown/lazy.cjs`. */
exports.otpauth = () => require('otpauth')
exports.qrCodes = () => require('uqr')
