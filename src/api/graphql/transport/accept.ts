/** The media type that a client accepts (GraphQL over HTTP, section 6.1). */
import { mediaTypeNegotiator } from '../../http/reply/negotiate.ts'

export const responseType = 'application/graphql-response+json'
export const jsonType = 'application/json'

export const eventStreamType = 'text/event-stream'

export type MediaType = typeof responseType | typeof jsonType | typeof eventStreamType

/** @returns `null` when none is acceptable */
export const acceptedType: (accept: string | undefined) => MediaType | null = mediaTypeNegotiator([
  jsonType,
  responseType,
  eventStreamType,
])
