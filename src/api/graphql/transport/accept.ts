/** Which of our media types a client wants (GraphQL over HTTP, section 6.1). */
import { mediaTypeNegotiator } from '../../http/reply/negotiate.ts'

export const responseType = 'application/graphql-response+json'
export const jsonType = 'application/json'

export const eventStreamType = 'text/event-stream'

export type MediaType = typeof responseType | typeof jsonType | typeof eventStreamType

/** @returns `null` when it takes none of them */
export const acceptedType: (accept: string | undefined) => MediaType | null = mediaTypeNegotiator([
  jsonType,
  responseType,
  eventStreamType,
])
