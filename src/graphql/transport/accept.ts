/** Which of our media types a client wants (GraphQL over HTTP, section 6.1). */
export const responseType = 'application/graphql-response+json'
export const jsonType = 'application/json'

export const eventStreamType = 'text/event-stream'

export type MediaType = typeof responseType | typeof jsonType | typeof eventStreamType

/** @returns `null` when it takes neither */
export function acceptedType(accept: string | undefined): MediaType | null {
  if (accept === responseType || accept === jsonType) return accept
  if (accept === undefined || accept.trim() === '') return jsonType
  for (const range of accept.split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const charset = parameters.find((parameter) => parameter.startsWith('charset='))
    if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset)) continue
    if (type === responseType || type === eventStreamType) return type
    if (type === jsonType || type === 'application/*' || type === '*/*') return jsonType
  }
  return null
}
