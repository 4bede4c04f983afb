export function busboy(): typeof import('@fastify/busboy')
