/** What reads uploads, loaded with the first. As in `platform/markdown/lazy.cjs`. */
exports.busboy = () => require('@fastify/busboy')
