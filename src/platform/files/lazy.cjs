/** What packs and unpacks archives, loaded with the first. As in `platform/markdown/lazy.cjs`. */
exports.modernTar = () => require('modern-tar')
