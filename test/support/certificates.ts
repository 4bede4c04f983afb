import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { connect } from 'node:tls'

/** Makes a self-signed certificate for a name and `localhost`, as two PEM files. */
export function certificateIn(
  folder: string,
  name: string,
): { readonly certFile: string; readonly keyFile: string } {
  const files = {
    certFile: join(folder, `${name}.crt`),
    keyFile: join(folder, `${name}.key`),
  }
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const out = ['-keyout', files.keyFile, '-out', files.certFile]
  const names = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name},DNS:localhost`]
  execFileSync('openssl', ['req', '-x509', ...key, ...out, ...names], { stdio: 'ignore' })
  return files
}

/** The certificate that a server on this machine shows to a new connection. */
export async function shownCertificate(port: number) {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
  try {
    await new Promise<void>((done, fail) => {
      socket.once('secureConnect', done)
      socket.once('error', fail)
    })
    return socket.getPeerCertificate()
  } finally {
    socket.destroy()
  }
}
