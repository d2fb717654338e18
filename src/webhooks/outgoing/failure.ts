/** Classes of what goes wrong in an exchange, for the log and the metrics. */
export type ErrorClass =
  /** The deadline passed. */
  | 'timeout'
  /** The name has no address, or no name server answered. */
  | 'dns'
  /** The name leads to an address that may not be reached. */
  | 'refusedAddress'
  /** The certificate is not good for the name, or there was no agreement. */
  | 'tls'
  /** Nobody took the connection. */
  | 'connect'
  /** The connection ended before the answer did. */
  | 'reset'
  /** The answer is not HTTP, or its headers are too large. */
  | 'protocol'
  /** The receiver points elsewhere: redirects are not followed. */
  | 'redirect'
  /** Any other status than 2xx. */
  | 'status'
  /** What is secret of the subscription cannot be opened, so that nothing was sent: not the receiver's fault. */
  | 'secret'
  /** The service is stopping: not the receiver's fault. */
  | 'aborted'

const tls =
  /^(ERR_TLS_|ERR_SSL_|ERR_OSSL_|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|EPROTO)/

export function classOf(error: Error): ErrorClass {
  const code = 'code' in error ? String(error.code) : ''
  if (tls.test(code)) return 'tls'
  if (code.startsWith('HPE_')) return 'protocol'
  return code === 'ECONNRESET' || code === 'EPIPE' || code === 'ECONNABORTED' ? 'reset' : 'connect'
}

/** `null` for success. */
export function classOfStatus(status: number): ErrorClass | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? 'redirect' : 'status'
}
