/** The bytes of requests. */
export interface RequestParts {
  method?: string
  path: string
  headers?: Record<string, string>
  /** An object is sent as JSON. */
  body?: object | string | Buffer
}

/** @returns a request of HTTP/1.1, whole */
export function requestBytes({ method, path, headers = {}, body }: RequestParts): Buffer {
  const content = contentOf(body)
  const fields = {
    host: 'localhost',
    ...(content !== null && { 'content-type': 'application/json', 'content-length': `${content.length}` }),
    ...headers,
  }
  const first = `${method ?? (content === null ? 'GET' : 'POST')} ${path} HTTP/1.1`
  const head = [first, ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`), '', ''].join(
    '\r\n',
  )
  return content === null ? Buffer.from(head) : Buffer.concat([Buffer.from(head), content])
}

export function bearer({ accessToken }: { accessToken: string }): Record<string, string> {
  return { authorization: `Bearer ${accessToken}` }
}

export function tenantHeader({ id }: { id: string }): Record<string, string> {
  return { 'x-tenant-id': id }
}

function contentOf(body: RequestParts['body']): Buffer | null {
  if (body === undefined) return null
  if (Buffer.isBuffer(body)) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}
