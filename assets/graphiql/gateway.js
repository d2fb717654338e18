/** Asks the gateway: by POST, and for a subscription over a WebSocket that lasts as long as it does. */
import { createGraphiQLFetcher } from '@graphiql/toolkit'
import { createClient } from 'graphql-ws'

const url = new URL('../graphql', document.baseURI)
const socketUrl = new URL(url)
socketUrl.protocol = url.protocol.replace('http', 'ws')

/** @type {import('@graphiql/toolkit').Fetcher} */
export const ask = (parameters, options) => {
  const headers = filledIn(options?.headers ?? {})
  const wsClient = createClient({
    url: socketUrl.href,
    connectionParams: connectionParameters(headers),
    // Whoever looks at the page rather sees why it ended, and starts it again.
    retryAttempts: 0,
  })
  const fetch = createGraphiQLFetcher({ url: url.href, wsClient, enableIncrementalDelivery: false })
  return fetch(parameters, { ...options, headers })
}

/** @param {any} answer @returns the words of the gateway where it gives no data, else `null` */
export function refusalOf(answer) {
  if (typeof answer?.data === 'object' && answer.data !== null) return null
  return String(answer?.errors?.[0]?.message ?? answer?.message ?? 'No answer.')
}

/** Without the examples that nobody has filled in. @param {Record<string, unknown>} headers */
function filledIn(headers) {
  const texts = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value).trim()])
  return Object.fromEntries(texts.filter(([, text]) => text !== '' && text !== 'Bearer'))
}

/** A browser sends no headers with a WebSocket; the first message has them. @param {Record<string, string>} headers */
function connectionParameters(headers) {
  const { authorization, 'x-tenant-id': tenant } = headers
  return { authorization, tenant }
}
