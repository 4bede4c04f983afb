/** The table of content types, loaded with the first file. As in `platform/markdown/lazy.cjs`. */
exports.contentTypes = () => require('mime').default
